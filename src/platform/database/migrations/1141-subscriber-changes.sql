-- How many residents a commune gained and lost, by month: whoever leaves is deleted, so that nothing else says it. Each change adds a
-- row of its own, which waits for no other; a job adds up the rows of a month. No foreign key: a lock of the commune would wait for
-- those who edit it.
create table subscriber_changes (
  id bigint generated always as identity primary key,
  commune_id uuid not null,
  -- Its first day, in Paris. No time: nobody is found by when they came or left.
  month date not null,
  gained integer not null default 0,
  lost integer not null default 0,
  constraint subscriber_changes_counts check (gained >= 0 and lost >= 0)
);
-- The months of a commune; rows to add up.
create index subscriber_changes_by_commune on subscriber_changes (commune_id, month) include (gained, lost);
-- Retention.
create index subscriber_changes_by_month on subscriber_changes (month);

-- Since when changes are counted: nothing is known of the time before.
create table subscriber_counting (
  only_one boolean default true primary key constraint subscriber_counting_one_row check (only_one),
  since timestamptz(3) not null
);
insert into subscriber_counting (since) values (now());

-- Counts, for each commune, how often it is named. Security definer: triggers of the version before write before the start grants it.
create function count_subscribers(communes uuid[], is_gain boolean) returns void language sql security definer
set search_path = public, pg_temp as $$
  insert into subscriber_changes (commune_id, month, gained, lost)
  select id, date_trunc('month', now() at time zone 'Europe/Paris')::date,
    case when is_gain then count(*) else 0 end, case when is_gain then 0 else count(*) end
  from unnest(communes) id group by id
$$;

-- A subscriber counts for a commune while the choice is confirmed and the address proven.
create function count_inserted_choices() returns trigger language plpgsql as $$ begin
  perform count_subscribers(array(
    select r.commune_id from rows r join resident_subscribers s on s.id = r.subscriber_id
    where r.confirmed_at is not null and s.is_proven), true);
  return null;
end $$;
create trigger resident_choices_count_inserted after insert on resident_choices
  referencing new table as rows for each statement execute function count_inserted_choices();

create function count_confirmed_choice() returns trigger language plpgsql as $$ begin
  if exists (select from resident_subscribers where id = new.subscriber_id and is_proven) then
    perform count_subscribers(array[new.commune_id], true);
  end if;
  return null;
end $$;
create trigger resident_choices_count_confirmed after update of confirmed_at on resident_choices
  for each row when (old.confirmed_at is null and new.confirmed_at is not null) execute function count_confirmed_choice();

-- Choices that go with their subscriber are counted by `count_deleted_subscriber`, before it is deleted: here it no longer exists.
create function count_deleted_choices() returns trigger language plpgsql as $$ begin
  perform count_subscribers(array(
    select r.commune_id from rows r join resident_subscribers s on s.id = r.subscriber_id
    where r.confirmed_at is not null and s.is_proven), false);
  return null;
end $$;
create trigger resident_choices_count_deleted after delete on resident_choices
  referencing old table as rows for each statement execute function count_deleted_choices();

create function count_proven_subscriber() returns trigger language plpgsql as $$ begin
  perform count_subscribers(array(
    select commune_id from resident_choices where subscriber_id = new.id and confirmed_at is not null), true);
  return null;
end $$;
create trigger resident_subscribers_count_proven after update of is_proven on resident_subscribers
  for each row when (not old.is_proven and new.is_proven) execute function count_proven_subscriber();

create function count_deleted_subscriber() returns trigger language plpgsql as $$ begin
  perform count_subscribers(array(
    select commune_id from resident_choices where subscriber_id = old.id and confirmed_at is not null), false);
  return old;
end $$;
create trigger resident_subscribers_count_deleted before delete on resident_subscribers
  for each row when (old.is_proven) execute function count_deleted_subscriber();
