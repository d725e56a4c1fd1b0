-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table communes validate constraint communes_nom_affiche_length;

alter table communes validate constraint communes_couleur_form;
