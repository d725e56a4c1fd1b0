-- The moment of what happens to an act is the database's. Only the owner of the tables states another one: the content of the
-- demonstration has a past.
create function moment_of_act(stated timestamptz) returns timestamptz language sql volatile
set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    case when pg_has_role(current_user, (select relowner from pg_class where oid = 'public.acts'::regclass), 'usage')
      then stated end,
    date_trunc('milliseconds', clock_timestamp()))
$$;

-- A seal follows the last one: no fork, no gap, no earlier time. The lock makes writers of the chain wait for each other. Without a
-- moment, the database sets it, writes it into the record and seals that. Instances of the version before state moment and seal:
-- theirs may differ from the database's by five seconds.
create or replace function check_act_seal() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$ declare
  last record;
  moment timestamptz;
  field text := case when new.act_id is null then 'at' else 'published_at' end;
  said text;
begin
  perform pg_advisory_xact_lock(hashtext('parvis seals of acts'));
  select number, seal, sealed_at into last from public.act_seals order by number desc limit 1;
  moment := greatest(public.moment_of_act(new.sealed_at), last.sealed_at);
  if new.seal is null then
    new.sealed_at := moment;
    said := to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    new.number := coalesce(last.number, 0) + 1;
    new.record := replace(new.record, format('"%s":null', field), format('"%s":"%s"', field, said));
    new.digest := sha256(convert_to(new.record, 'UTF8'));
    new.previous := coalesce(last.seal, decode(repeat('00', 32), 'hex'));
    new.seal := sha256(new.previous || new.digest);
  end if;
  if new.number <> coalesce(last.number, 0) + 1
    or new.previous <> coalesce(last.seal, decode(repeat('00', 32), 'hex'))
    or new.sealed_at < coalesce(last.sealed_at, '-infinity') then
    raise exception 'a seal follows the last one' using errcode = 'check_violation';
  end if;
  if abs(extract(epoch from new.sealed_at - moment)) > 5 then
    raise exception 'the database sets the moment of a seal' using errcode = 'insufficient_privilege';
  end if;
  if new.record::jsonb ->> field
    is distinct from to_char(new.sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') then
    raise exception 'a record names the moment of its seal' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Nobody seals an act today and publishes it later, as if it had been on line since: at the end of the transaction it is published.
create function require_published_act() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$ begin
  if (select state = 'draft' from public.acts where id = new.act_id) then
    raise exception 'an act is published with its seal' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create constraint trigger act_seals_published after insert on act_seals deferrable initially deferred
  for each row when (new.act_id is not null) execute function require_published_act();

-- True if a record is that of an act in each column that does not change after the publication. The communes that it does not name
-- are members of the groups that its acteur speaks for.
create function is_record_of_act(act acts, record jsonb) returns boolean language sql stable
set search_path = pg_catalog, public, pg_temp as $$
  select record @> jsonb_build_object(
      'id', act.id, 'acteur', jsonb_build_object('id', act.published_by), 'kind', act.kind, 'number', act.number,
      'title', act.title, 'date', to_char(act.date, 'YYYY-MM-DD'), 'author_first_name', act.author_first_name,
      'author_name', act.author_name, 'author_quality', act.author_quality, 'subject', act.subject,
      'individual', act.individual, 'supersedes', act.supersedes, 'sha256', act.sha256, 'bytes', act.bytes, 'pages', act.pages)
    and record ->> 'text_sha256' is not distinct from case when act.typed_text then (
      select encode(sha256(convert_to(f.text, 'UTF8')), 'hex') from act_files f where f.act_id = act.id) end
    and not exists (
      select code from (select c ->> 'code_insee' as code from jsonb_array_elements(record -> 'communes') c) named
      where code not in (select c.code_insee from communes c where c.id = any(act.commune_ids)))
    and not exists (
      select from unnest(act.commune_ids) as own (id) left join communes c on c.id = own.id
      where c.id is null or not (record -> 'communes' @> jsonb_build_array(jsonb_build_object('code_insee', c.code_insee))
        or record ? 'groups' and exists (
          select from groups g join group_communes m on m.group_id = g.id
          where g.acteur_id = act.published_by and m.commune_id = own.id)))
$$;

-- Refuses to change or delete a published act, apart from the steps of its state, and to publish one without its seal, or with
-- another record. The search path is set, so that no temporary table stands in for one that it reads.
create or replace function protect_act() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$ declare
  state_fields constant text[] :=
    array['state', 'superseded_by', 'archived_at', 'occulted_at', 'occulted_reason', 'acteur_id', 'version', 'updated_at'];
  is_past_term boolean;
begin
  if tg_op = 'INSERT' then
    raise exception 'an act is published with its seal' using errcode = 'insufficient_privilege';
  end if;
  if old.state = 'draft' then
    if tg_op = 'DELETE' then return old; end if;
    if new.state = 'draft' then return new; end if;
    if new.state = 'published' and num_nonnulls(new.superseded_by, new.archived_at, new.occulted_at, new.occulted_reason) = 0
      and exists (
        select from act_seals s join act_files f on f.act_id = s.act_id
        where s.act_id = new.id and s.sealed_at = new.published_at and f.sha256 = new.sha256
          and is_record_of_act(new, s.record::jsonb)) then
      return new;
    end if;
    raise exception 'an act is published with its seal' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'DELETE' or to_jsonb(new) - state_fields <> to_jsonb(old) - state_fields then
    raise exception 'a published act does not change' using errcode = 'insufficient_privilege';
  end if;
  -- Another mairie holds it only after a merge.
  if new.acteur_id <> old.acteur_id and new.acteur_id <> acteur_to_write_for(old.acteur_id) then
    raise exception 'a published act stays with its mairie' using errcode = 'insufficient_privilege';
  end if;
  -- Each step changes its own fields alone.
  if (new.state <> 'superseded' or old.state = 'superseded') and new.superseded_by is distinct from old.superseded_by
    or (new.state <> 'archived' or old.state = 'archived') and new.archived_at is distinct from old.archived_at
    or (new.state <> 'occulted' or old.state = 'occulted')
      and (new.occulted_at, new.occulted_reason) is distinct from (old.occulted_at, old.occulted_reason) then
    raise exception 'a published act does not change' using errcode = 'insufficient_privilege';
  end if;
  if new.state = old.state or (old.state = 'published' and new.state = 'superseded') then return new; end if;
  -- In UTC, whatever the time zone of the session.
  is_past_term := clock_timestamp() at time zone 'UTC' >= old.published_at at time zone 'UTC' + interval '2 months';
  if old.state = 'published' and new.state = 'archived' and is_past_term then
    new.archived_at := moment_of_act(new.archived_at);
    return new;
  end if;
  if new.state = 'occulted' then
    new.occulted_at := moment_of_act(new.occulted_at);
    return new;
  end if;
  raise exception 'a published act stays on line' using errcode = 'insufficient_privilege';
end $$;
create trigger acts_begin before insert on acts for each row when (new.state <> 'draft') execute function protect_act();

-- Only a published correction supersedes an act, and it always does: at the end of the transaction, each names the other.
create function check_correction() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$ begin
  if new.state = 'superseded' and not exists (
      select from public.acts where id = new.superseded_by and supersedes = new.id and state <> 'draft')
    or old.state = 'draft' and new.supersedes is not null and not exists (
      select from public.acts where id = new.supersedes and superseded_by = new.id) then
    raise exception 'a published act is superseded by its correction' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create constraint trigger acts_corrections after update on acts deferrable initially deferred
  for each row when (new.state <> old.state and new.state <> 'draft') execute function check_correction();

-- Refuses to change or delete a timestamp that was received, to record one that does not contain its seal or is not of its time,
-- and to put an attempt off for more than a day.
create or replace function protect_act_timestamp() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$ declare
  sealed record;
begin
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and (old.reply is not null or new.number <> old.number) then
    raise exception 'a timestamp does not change' using errcode = 'insufficient_privilege';
  end if;
  if new.next_at > clock_timestamp() + interval '1 day' then
    raise exception 'a timestamp does not wait so long' using errcode = 'insufficient_privilege';
  end if;
  if new.reply is not null then
    select seal, sealed_at into sealed from public.act_seals where number = new.number;
    if position(sealed.seal in new.reply) = 0
      or new.at not between sealed.sealed_at - interval '10 minutes' and clock_timestamp() + interval '10 minutes' then
      raise exception 'a timestamp is of its seal, and not of the future' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end $$;
create trigger act_timestamps_begin before insert on act_timestamps
  for each row execute function protect_act_timestamp();
