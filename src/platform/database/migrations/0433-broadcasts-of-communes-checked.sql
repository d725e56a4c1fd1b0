-- outside a transaction

alter table broadcasts validate constraint broadcasts_commune;

alter table broadcasts validate constraint broadcasts_kind;

alter table broadcasts validate constraint broadcasts_of_commune;
