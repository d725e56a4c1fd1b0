-- outside a transaction
-- Reads the tables without a lock that others wait for.
alter table acteurs validate constraint acteurs_type;

alter table groups validate constraint groups_acteur_type;

alter table groups validate constraint groups_acteur;
