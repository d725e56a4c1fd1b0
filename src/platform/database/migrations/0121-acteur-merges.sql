-- An acteur that was merged into another keeps its row: its id and slug answer as the other for ever, and no acteur gets
-- them again. merged_into is null → merging (merged_into set, deleted_at null: a job moves what refers to it) → merged
-- (deleted_at set: nothing refers to it). There is no way back.
alter table acteurs add column merged_into uuid, add column merged_at timestamptz(3);

-- Each is validated in the next file.
-- Both or neither.
alter table acteurs add constraint acteurs_merged_whole check ((merged_into is null) = (merged_at is null)) not valid;
alter table acteurs add constraint acteurs_merged_elsewhere check (merged_into <> id) not valid;
-- Only into an acteur of the same type. When that changes its type, what was merged into it follows.
alter table acteurs add constraint acteurs_merged_into foreign key (merged_into, type) references acteurs (id, type)
  on update cascade not valid;

-- Whatever is merged into an acteur points at it directly: an acteur that was merged itself is no target, nor is one that
-- is deleted when the merge begins. The locks make two merges of the same acteurs wait for each other. The other way
-- round, what was merged into an acteur has to point elsewhere before it is merged itself.
create function keep_merge_target() returns trigger language plpgsql as $$
begin
  if old.merged_into is not null and new.merged_into is null then
    raise exception 'a merge is not undone' using errcode = 'check_violation', constraint = 'acteurs_merge_stays';
  end if;
  perform from acteurs where id = new.merged_into and merged_into is null and deleted_at is null for share;
  if not found or exists (select from acteurs where merged_into = new.id) then
    raise exception 'an acteur is merged into one that is not merged or deleted'
      using errcode = 'check_violation', constraint = 'acteurs_merge_target';
  end if;
  return new;
end
$$;
create trigger acteurs_merge_target before update of merged_into on acteurs
  for each row when (old.merged_into is distinct from new.merged_into) execute function keep_merge_target();

-- Writes for an acteur that was merged go to the other. The lock makes a merge wait for those who write
-- for the acteur, and those who come later wait for the merge: once it has begun, no new row refers to the acteur.
create function acteur_to_write_for(asked uuid) returns uuid language plpgsql as $$
declare
  other uuid;
begin
  select merged_into into other from acteurs where id = asked for key share;
  return coalesce(other, asked);
end
$$;
create function follow_merge() returns trigger language plpgsql as $$
begin
  new.acteur_id := acteur_to_write_for(new.acteur_id);
  return new;
end
$$;
create function follow_merge_of_mairie() returns trigger language plpgsql as $$
begin
  new.mairie_actor_id := acteur_to_write_for(new.mairie_actor_id);
  return new;
end
$$;
create function follow_merges_of_subscription() returns trigger language plpgsql as $$
begin
  new.acteur_id := acteur_to_write_for(new.acteur_id);
  new.acteur_set := acteur_to_write_for(new.acteur_set);
  new.acteur_said := acteur_to_write_for(new.acteur_said);
  new.acteur_of_checkout := acteur_to_write_for(new.acteur_of_checkout);
  return new;
end
$$;
create trigger actor_users_follow_merge before insert or update of acteur_id on actor_users
  for each row execute function follow_merge();
create trigger alertes_follow_merge before insert or update of acteur_id on alertes
  for each row when (new.acteur_id is not null) execute function follow_merge();
create trigger claims_follow_merge before insert or update of acteur_id on claims
  for each row execute function follow_merge();
create trigger communes_follow_merge before insert or update of mairie_actor_id on communes
  for each row when (new.mairie_actor_id is not null) execute function follow_merge_of_mairie();
create trigger import_sources_follow_merge before insert or update of acteur_id on import_sources
  for each row when (new.acteur_id is not null) execute function follow_merge();
create trigger payment_customers_follow_merge before insert or update of acteur_id on payment_customers
  for each row execute function follow_merge();
create trigger publications_follow_merge before insert or update of acteur_id on publications
  for each row when (new.acteur_id is not null) execute function follow_merge();
create trigger subscriptions_follow_merge
  before insert or update of acteur_id, acteur_set, acteur_said, acteur_of_checkout on subscriptions
  for each row execute function follow_merges_of_subscription();
-- Notes refer to their record by its kind, without a foreign key.
create function follow_merge_of_note() returns trigger language plpgsql as $$
begin
  new.record_id := acteur_to_write_for(new.record_id);
  return new;
end
$$;
create trigger notes_follow_merge before insert or update of record_id on notes
  for each row when (new.kind = 'acteur') execute function follow_merge_of_note();
