-- outside a transaction
-- The agenda from a day on: what began before it and is not over. What lasts at most a month ends within a month of that
-- day, so little of it is read; what lasts longer is rare, and has its own part of the index. Most publications last one day
-- and are not in here.
create index concurrently if not exists publication_listings_under_way
  on publication_listings (commune_id, (date_fin - date_debut > 31), date_fin)
  include (date_debut, publication_id, publie_le)
  where date_fin > date_debut;

drop index concurrently if exists publication_listings_of_days;
