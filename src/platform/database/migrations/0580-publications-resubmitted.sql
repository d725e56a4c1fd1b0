-- Pending again after a rejection, whose reason is still in moderation_reason.
-- Null in rows from before: PostgreSQL before 18 refuses a column with a default while functions take rows of the table.
alter table publications add column resubmitted boolean;
alter table publications alter column resubmitted set default false;
