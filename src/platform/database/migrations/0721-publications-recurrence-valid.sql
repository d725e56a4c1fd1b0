-- outside a transaction
-- Reads the table without a lock that others wait for.
alter table publications validate constraint publications_recurrence_form;

alter table publications validate constraint publications_recurrence_days;

alter table publications validate constraint publications_recurrence_first_day;

alter table publications validate constraint publications_jours_count;
