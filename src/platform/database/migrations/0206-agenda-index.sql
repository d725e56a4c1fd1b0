-- outside a transaction
-- The agenda from a day on: what began before it and is not over. Most publications last one day and are not in here.
create index concurrently if not exists publication_listings_of_days
  on publication_listings (commune_id, date_fin) include (date_debut, publication_id, publie_le)
  where date_fin > date_debut;
