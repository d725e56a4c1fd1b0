-- outside a transaction

alter table report_cases validate constraint report_cases_decided_by;

-- The foreign key.
create index concurrently if not exists report_cases_by_decider on report_cases (decided_by) where decided_by is not null;
