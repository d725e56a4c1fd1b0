-- outside a transaction

alter table claims validate constraint claims_questions_count;

alter table claims validate constraint claims_waits_whole;
