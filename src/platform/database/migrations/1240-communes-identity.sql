-- The name as the commune writes it, and its colour.
alter table communes add column nom_affiche text;
alter table communes add column couleur text;
-- Shown in place of the name, so never empty.
alter table communes add constraint communes_nom_affiche_length
  check (length(nom_affiche) between 1 and 200) not valid;
-- It becomes part of a stylesheet and of its address.
alter table communes add constraint communes_couleur_form check (couleur ~ '^#[0-9a-f]{6}$') not valid;
