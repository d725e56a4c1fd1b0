-- An acteur that somebody adds together with the claim to it. It waits, unvalidated, for the decision on the claim, which
-- validates or deletes it. A claim that a merge has moved to another acteur decides about none.
create table registrations (
  claim_id uuid primary key constraint registrations_claim references claims on delete cascade,
  -- Without a foreign key: the row ends with its claim.
  acteur_id uuid not null
);
