-- outside a transaction
-- The acteurs that show a picture; the foreign key.
create index concurrently if not exists acteurs_by_logo on acteurs (logo) where logo is not null;
