-- outside a transaction
-- Back-office lists show what became of an acteur's newest publications. The index alone answers: without the status in
-- it, each of them was read from the table, at random places.
create index concurrently if not exists publications_of_acteur on publications (acteur_id, created_at desc, id desc)
  include (deleted_at, moderation_status);

drop index concurrently if exists publications_by_acteur;
