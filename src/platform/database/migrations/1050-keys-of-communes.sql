-- An access key for all acteurs of a commune that its owner belongs to, above all its mairie.
alter table access_keys add column commune_id uuid;
alter table access_keys
  add constraint access_keys_commune foreign key (commune_id) references communes not valid,
  add constraint access_keys_one_place check (acteur_id is null or commune_id is null) not valid,
  -- It opens neither the account of its owner nor the back-office.
  add constraint access_keys_of_commune
    check (commune_id is null or not scopes && array['own.read', 'office.read', 'office.write']) not valid;
-- It ends when its owner leaves one of these acteurs; keys of other acteurs and communes stay.
create or replace function end_keys_of_former_member() returns trigger language plpgsql as $$ begin
  update access_keys k set ended_at = now()
  where k.user_id = old.user_id and k.ended_at is null
    and case
      when k.acteur_id is not null then acteur_to_write_for(k.acteur_id) = acteur_to_write_for(old.acteur_id)
      when k.commune_id is not null then k.commune_id = (select commune_id from acteurs where id = old.acteur_id)
      else true end
    and not exists (select from actor_users m
      where m.user_id = old.user_id and m.acteur_id = acteur_to_write_for(old.acteur_id));
  return null;
end $$;
