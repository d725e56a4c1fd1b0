-- outside a transaction

alter table broadcasts validate constraint broadcasts_group;

alter table broadcasts validate constraint broadcasts_of_commune;

-- One a day, whatever the jobs do; also the foreign key.
create unique index concurrently if not exists broadcasts_of_group_day on broadcasts (group_id, kind, day) where group_id is not null;
