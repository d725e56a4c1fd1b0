-- outside a transaction

alter table publication_reports validate constraint publication_reports_case;

alter table publication_reports validate constraint publication_reports_closed_as;

-- The reports of a case; the foreign key.
create index concurrently if not exists publication_reports_by_case on publication_reports (case_id) where case_id is not null;
