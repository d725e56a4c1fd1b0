-- Chosen among the domains of a place as the address that links lead to; without a choice, the oldest proven one.
alter table domains add column is_primary boolean not null default false;
