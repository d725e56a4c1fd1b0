-- outside a transaction
-- The communes around a place, nearest first, by the same distance as defibrillators.
create index concurrently if not exists communes_nearest on communes using gist (globe_point(latitude, longitude))
  where latitude is not null;
