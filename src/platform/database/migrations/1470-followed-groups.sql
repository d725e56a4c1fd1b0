-- What a resident gets of a group of communes itself: what its acteur alerts and publishes. A table beside `resident_choices`, whose
-- rows the version before reads as choices about communes.
create table resident_group_choices (
  subscriber_id uuid not null constraint resident_group_choices_subscriber references resident_subscribers on delete cascade,
  group_id uuid not null constraint resident_group_choices_group references groups on delete cascade,
  alertes text not null default 'none',
  actualites boolean not null default false,
  asked_at timestamptz(3) not null default now(),
  -- Null until the owner of the address confirms: then nothing is sent, and the row is deleted after 48 hours.
  confirmed_at timestamptz(3),
  -- Until when the last weekly message covered what was published; null before the first.
  actualites_until timestamptz(3),
  constraint resident_group_choices_pkey primary key (subscriber_id, group_id),
  constraint resident_group_choices_alertes check (alertes in ('none', 'urgent', 'all')),
  -- Who wants nothing is deleted.
  constraint resident_group_choices_something check (alertes <> 'none' or actualites)
);
-- Recipients of a group, in the order in which a broadcast reads them; the cascade of groups.
create index resident_group_choices_by_group on resident_group_choices (group_id, subscriber_id);
-- Choices that expire.
create index resident_group_choices_unconfirmed on resident_group_choices (asked_at) where confirmed_at is null;
-- Groups with readers of the weekly mail.
create index resident_group_choices_weekly on resident_group_choices (group_id) where actualites and confirmed_at is not null;

-- What residents get of communes and groups. `place_id` is the id of either.
create view followed_places as
  select subscriber_id, commune_id as place_id, commune_id, null::uuid as group_id, alertes, collectes_hour, collectes_secteur,
    actualites, asked_at, confirmed_at, actualites_until
  from resident_choices
  union all
  select subscriber_id, group_id, null, group_id, alertes, null, null, actualites, asked_at, confirmed_at, actualites_until
  from resident_group_choices;

-- Deletes the addresses that follow a deleted group and nothing else: nobody can find them any more.
create function delete_followers_of_group() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from resident_subscribers s
  where s.id in (select subscriber_id from resident_group_choices where group_id = old.id) and not exists (
    select from followed_places f where f.subscriber_id = s.id and f.place_id <> old.id);
  return old;
end $$;
create trigger groups_delete_followers before delete on groups for each row execute function delete_followers_of_group();

-- A weekly message names a commune or a group.
alter table broadcasts add column group_id uuid;
alter table broadcasts add constraint broadcasts_group foreign key (group_id) references groups on delete cascade not valid;
alter table broadcasts drop constraint broadcasts_of_commune;
-- A broadcast about a day names its place, a reminder a commune; a reminder its hour, a weekly mail its publications.
alter table broadcasts add constraint broadcasts_of_commune check (
  (kind in ('actualites', 'collectes')) = (day is not null)
  and (day is null) = (commune_id is null and group_id is null) and (commune_id is null or group_id is null)
  and (group_id is null or kind = 'actualites')
  and (kind = 'collectes') = (hour is not null) and (kind = 'actualites') = (publication_ids is not null)) not valid;
