-- outside a transaction

-- The dashboard and the list of what is accepted but has no publication time.
create index concurrently if not exists publications_unscheduled on publications (created_at desc, id desc)
  where moderation_status = 'approved' and valide and publie_le is null and deleted_at is null;

-- Synchronising: communes in the order in which they changed.
create index concurrently if not exists communes_by_updated on communes (updated_at, id);
