-- Pending again after a rejection, whose reason is still in moderation_reason.
alter table publications add column resubmitted boolean not null default false;
