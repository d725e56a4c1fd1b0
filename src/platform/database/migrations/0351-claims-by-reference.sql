-- outside a transaction
-- One claim for each reference, which the search of the back-office finds.
create unique index concurrently if not exists claims_reference on claims (reference) where reference is not null;
