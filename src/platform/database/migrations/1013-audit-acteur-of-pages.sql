-- The acteur that an entry concerns, as before; of a page the mairie of its commune.
create or replace function stamp_audit_acteur() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  pattern constant text := '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
  said text := coalesce(new.after->>'acteur_id', new.before->>'acteur_id');
  record_id uuid;
begin
  if said ~ pattern then
    new.acteur_id := said::uuid;
    return new;
  end if;
  if new.entity_id !~ pattern then return new; end if;
  record_id := new.entity_id::uuid;
  case new.entity
    when 'acteur' then new.acteur_id := record_id;
    when 'publication' then
      select p.acteur_id into new.acteur_id from public.publications p where p.id = record_id;
    when 'act' then
      select a.acteur_id into new.acteur_id from public.acts a where a.id = record_id;
    when 'claim' then
      select c.acteur_id into new.acteur_id from public.claims c where c.id = record_id;
    when 'commune' then
      select c.mairie_actor_id into new.acteur_id from public.communes c where c.id = record_id;
    when 'alerte' then
      -- A deleted alert has left its commune in the entry.
      select coalesce(a.acteur_id, c.mairie_actor_id) into new.acteur_id
      from (select) one left join public.alertes a on a.id = record_id
      left join public.communes c on c.id::text = coalesce(a.commune_id::text, new.before->>'commune_id');
    when 'page' then
      -- A deleted page has left its commune in the entry.
      select c.mairie_actor_id into new.acteur_id
      from (select) one left join public.commune_pages p on p.id = record_id
      left join public.communes c on c.id::text = coalesce(p.commune_id::text, new.before->>'commune_id');
    when 'user' then
      select case when count(*) = 1 then min(acteur) end::uuid into new.acteur_id from (
        select distinct changed.value->>'acteur_id' as acteur from (
          (select value from jsonb_array_elements(coalesce(new.before->'acteurs', '[]'))
            except all select value from jsonb_array_elements(coalesce(new.after->'acteurs', '[]')))
          union all
          (select value from jsonb_array_elements(coalesce(new.after->'acteurs', '[]'))
            except all select value from jsonb_array_elements(coalesce(new.before->'acteurs', '[]')))
        ) changed) acteurs;
    else null;
  end case;
  return new;
end $$;
