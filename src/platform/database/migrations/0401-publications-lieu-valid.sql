-- outside a transaction

-- Reads the table without locking it against writes.
alter table publications validate constraint publications_lieu_form;
alter table publications validate constraint publications_lieu_known;
alter table publications validate constraint publications_lieu_lengths;
alter table publications validate constraint publications_lieu_coordinates;
alter table publications validate constraint publications_lieu_ranges;
