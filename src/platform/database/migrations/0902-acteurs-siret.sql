-- Its number in the national register of establishments, which open data of acts name.
alter table acteurs add column siret text;
-- Fourteen digits.
alter table acteurs add constraint acteurs_siret check (siret ~ '^[0-9]{14}$') not valid;
