-- outside a transaction
-- The dates of an event whose dates are publications of their own: the next ones of an acteur with one title, in order.
create index concurrently if not exists publications_of_series on publications (acteur_id, md5(title), date_debut, id)
  where date_debut is not null and jours is null and deleted_at is null;
