-- A key of an acteur that was merged acts for its target, also before the merge has moved the key itself.
create or replace function end_keys_of_former_member() returns trigger language plpgsql as $$ begin
  update access_keys k set ended_at = now()
  where k.user_id = old.user_id and k.ended_at is null
    and (k.acteur_id is null or acteur_to_write_for(k.acteur_id) = acteur_to_write_for(old.acteur_id))
    and not exists (select from actor_users m
      where m.user_id = old.user_id and m.acteur_id = acteur_to_write_for(old.acteur_id));
  return null;
end $$;
