-- outside a transaction
-- Acteurs merged into an acteur, and the foreign key.
create index concurrently if not exists acteurs_by_merge on acteurs (merged_into, merged_at) where merged_into is not null;

-- Merges in progress, of which some may have lost their job.
create index concurrently if not exists acteurs_merging on acteurs (id) where merged_into is not null and deleted_at is null;

-- References that a merge moves.
create index concurrently if not exists payment_customers_by_acteur on payment_customers (acteur_id);

create index concurrently if not exists subscriptions_by_acteur_set on subscriptions (acteur_set)
  where acteur_set is not null;

create index concurrently if not exists subscriptions_by_acteur_said on subscriptions (acteur_said)
  where acteur_said is not null;

create index concurrently if not exists subscriptions_by_acteur_of_checkout on subscriptions (acteur_of_checkout)
  where acteur_of_checkout is not null;

alter table acteurs validate constraint acteurs_merged_whole;

alter table acteurs validate constraint acteurs_merged_elsewhere;

alter table acteurs validate constraint acteurs_merged_into;
