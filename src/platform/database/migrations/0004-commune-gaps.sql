-- What communes lack. In a table of its own, whose row is the last lock of a change: changes of acteurs do not wait for others.
create table commune_gaps (
  commune_id uuid primary key constraint commune_gaps_commune references communes on delete cascade,
  -- The sum of: 1 no élu; 2 no collecte; 4 the public lacks the address, telephone, e-mail or website; 8 no mairie.
  gaps smallint not null default 15,
  constraint commune_gaps_known check (gaps between 0 and 15)
);
-- The lists and counts of communes that lack something.
create index commune_gaps_by_gaps on commune_gaps (gaps, commune_id);

-- As infos.ts in the module communes does with trim(): all that JavaScript takes for a blank.
create function has_text(value text) returns boolean language sql immutable parallel safe as $$
  select coalesce(btrim(value,
    U&' \0009\000A\000B\000C\000D\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF')
    <> '', false)
$$;

-- A deleted or inactive mairie counts as missing, as in the public infos.
create function find_commune_gaps(ids uuid[]) returns table (commune_id uuid, gaps smallint) language sql stable as $$
  select c.id, (
    case when exists (select from elus e where e.commune_id = c.id) then 0 else 1 end
    + case when exists (select from collectes k where k.commune_id = c.id) then 0 else 2 end
    + case when (
        select bool_and(has_text(contact.value) or exists (
          select from commune_infos i
          where i.commune_id = c.id and i.cle = contact.cle and has_text(i.valeur)))
        from (values ('adresse', mairie.adresse), ('telephone', mairie.telephone), ('email', mairie.email),
          ('site_web', mairie.site_web)) contact (cle, value)) then 0 else 4 end
    + case when mairie.id is null then 8 else 0 end)::smallint
  from communes c
  left join acteurs mairie on mairie.id = c.mairie_actor_id and mairie.active and mairie.deleted_at is null
  where c.id = any(ids)
$$;

-- Locks before it reads: of two transactions that change one commune, the later sees what the other did.
create function maintain_commune_gaps(ids uuid[]) returns void language plpgsql as $$ begin
  insert into commune_gaps (commune_id) select id from communes where id = any(ids) order by id on conflict do nothing;
  perform from commune_gaps g where g.commune_id = any(ids) order by g.commune_id for no key update;
  update commune_gaps g set gaps = found.gaps from find_commune_gaps(ids) found
  where g.commune_id = found.commune_id and g.gaps <> found.gaps;
end $$;

create function maintain_gaps_of_rows() returns trigger language plpgsql as $$ begin
  perform maintain_commune_gaps(array(select distinct commune_id from rows));
  return null;
end $$;
create trigger elus_gaps_inserted after insert on elus
  referencing new table as rows for each statement execute function maintain_gaps_of_rows();
create trigger elus_gaps_deleted after delete on elus
  referencing old table as rows for each statement execute function maintain_gaps_of_rows();
create trigger collectes_gaps_inserted after insert on collectes
  referencing new table as rows for each statement execute function maintain_gaps_of_rows();
create trigger collectes_gaps_deleted after delete on collectes
  referencing old table as rows for each statement execute function maintain_gaps_of_rows();
create trigger commune_infos_gaps_inserted after insert on commune_infos
  referencing new table as rows for each statement execute function maintain_gaps_of_rows();
create trigger commune_infos_gaps_deleted after delete on commune_infos
  referencing old table as rows for each statement execute function maintain_gaps_of_rows();

create function maintain_gaps_of_row() returns trigger language plpgsql as $$ begin
  perform maintain_commune_gaps(array[old.commune_id, new.commune_id]);
  return null;
end $$;
create trigger elus_gaps_updated after update of commune_id on elus
  for each row when (old.commune_id is distinct from new.commune_id) execute function maintain_gaps_of_row();
create trigger collectes_gaps_updated after update of commune_id on collectes
  for each row when (old.commune_id is distinct from new.commune_id) execute function maintain_gaps_of_row();
create trigger commune_infos_gaps_updated after update of commune_id, cle, valeur on commune_infos
  for each row when ((old.commune_id, old.cle, old.valeur) is distinct from (new.commune_id, new.cle, new.valeur))
  execute function maintain_gaps_of_row();

-- Makes changes of a mairie and of its commune wait for each other: otherwise neither would see the other. Before all others by
-- name, since the foreign key and communes_follow_merge take a weaker lock: taking this one after it could deadlock.
create function lock_mairie() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' or new.mairie_actor_id is distinct from old.mairie_actor_id then
    perform from acteurs
    where id in (new.mairie_actor_id, (select merged_into from acteurs where id = new.mairie_actor_id))
    order by id for share;
  end if;
  return new;
end $$;
create trigger communes_early_lock_of_mairie before insert or update of mairie_actor_id on communes
  for each row when (new.mairie_actor_id is not null) execute function lock_mairie();

create function maintain_gaps_of_communes() returns trigger language plpgsql as $$ declare ids uuid[]; begin
  if tg_op = 'INSERT' then
    ids := array(select id from rows);
  else
    ids := array(select id from rows join rows_before using (id)
      where rows.mairie_actor_id is distinct from rows_before.mairie_actor_id);
  end if;
  if ids = '{}' then return null; end if;
  perform maintain_commune_gaps(ids);
  return null;
end $$;
create trigger communes_gaps_inserted after insert on communes
  referencing new table as rows for each statement execute function maintain_gaps_of_communes();
create trigger communes_gaps_updated after update on communes
  referencing old table as rows_before new table as rows for each statement execute function maintain_gaps_of_communes();

create function maintain_gaps_of_mairie() returns trigger language plpgsql as $$ begin
  perform maintain_commune_gaps(array(select id from communes where mairie_actor_id = new.id));
  return null;
end $$;
create trigger acteurs_gaps after update of active, deleted_at, adresse, telephone, email, site_web on acteurs
  for each row when (new.type = 'mairie'
    and (old.active, old.deleted_at is null, old.adresse, old.telephone, old.email, old.site_web)
      is distinct from (new.active, new.deleted_at is null, new.adresse, new.telephone, new.email, new.site_web))
  execute function maintain_gaps_of_mairie();
