-- outside a transaction

alter table media_variants validate constraint media_variants_object;
alter table media_variants validate constraint media_variants_place;
