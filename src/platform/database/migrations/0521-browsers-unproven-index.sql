-- outside a transaction

-- Browsers whose first message is still to be accepted, which expire.
create index concurrently if not exists resident_subscribers_unproven on resident_subscribers (created_at) where not is_proven;
