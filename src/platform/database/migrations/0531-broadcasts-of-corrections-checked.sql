-- outside a transaction

alter table broadcasts validate constraint broadcasts_kind;
