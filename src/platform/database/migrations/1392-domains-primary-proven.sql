-- Links lead only to a host that was proven.
alter table domains add constraint domains_primary_proven check (not is_primary or verified_at is not null) not valid;
