-- outside a transaction
alter table access_keys validate constraint access_keys_commune;
alter table access_keys validate constraint access_keys_one_place;
alter table access_keys validate constraint access_keys_of_commune;
