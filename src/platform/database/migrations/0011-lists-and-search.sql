-- Acteurs by name, whole and among those of a commune that are public. Their search text is a space and the name as it is
-- compared: it sorts as the name does.
create index acteurs_by_name on acteurs (search_text, id);
create index acteurs_public_by_name on acteurs (commune_id, search_text, id)
  where valide and active and deleted_at is null;

-- Users by name, by address and by when they were last seen. Who has none comes last either way: an index each way. The
-- one by address also finds the users of an address, with its letters folded as in `users_unbound_email_key`.
create index users_by_name on users ((search_key(nom) collate "C"), id);
create index users_by_name_downwards on users ((search_key(nom) collate "C") desc nulls last, id desc);
create index users_by_email on users (lower(email collate "C"), id);
create index users_by_email_downwards on users (lower(email collate "C") desc nulls last, id desc);
create index users_by_last_seen on users (last_seen_at desc nulls last, id desc);
create index users_by_last_seen_upwards on users (last_seen_at, id);

-- Claims by status. Within one the oldest come first: so those pending past their time, which are shown as expired, stand
-- next to the expired ones. Read backwards it gives the newest of a status, as the index before did.
create index claims_by_status_and_age on claims (status, created_at, id);
drop index claims_by_status;
-- By when they were decided: what was not comes last either way.
create index claims_by_decision on claims
  ((case when status in ('approved', 'rejected') then ended_at end) desc nulls last, id desc);
create index claims_by_decision_upwards on claims
  ((case when status in ('approved', 'rejected') then ended_at end), id);
-- What somebody has claimed.
create index claims_by_user on claims (user_id, created_at desc, id desc) where user_id is not null;

-- A commune is found by the names and codes of those that it was made of too.
alter table commune_aliases add column search_text text collate "C"
  generated always as (' ' || search_key(nom) || ' ' || lower(code_insee)) stored;
create index commune_aliases_search on commune_aliases using gin (search_text gin_trgm_ops);
-- By the beginning of its INSEE code.
create index communes_by_code on communes (code_insee text_pattern_ops);
-- The back-office list by population, which not every commune has, and with and without a mairie.
create index communes_by_population on communes (population desc nulls last, id desc);
create index communes_by_population_upwards on communes (population, id);
create index communes_with_mairie on communes (sort_name, id) where mairie_actor_id is not null;
create index communes_without_mairie on communes (sort_name, id) where mairie_actor_id is null;

-- The alerts in force are among those that have not ended, however many have.
create index alertes_of_commune_by_end on alertes (commune_id, coalesce(fin, 'infinity')) where commune_id is not null;
create index alertes_of_acteur_by_end on alertes (acteur_id, coalesce(fin, 'infinity')) where acteur_id is not null;
