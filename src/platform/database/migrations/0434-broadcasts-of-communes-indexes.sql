-- outside a transaction

-- One a day, whatever the jobs do; also the foreign key.
create unique index concurrently if not exists broadcasts_of_day
  on broadcasts (commune_id, kind, day, coalesce(hour, 0), coalesce(secteur, '')) where commune_id is not null;

-- Reminders that are due at an hour.
create index concurrently if not exists resident_choices_by_hour
  on resident_choices (collectes_hour, commune_id, collectes_secteur) where collectes_hour is not null and confirmed_at is not null;

-- Communes with readers of the weekly mail.
create index concurrently if not exists resident_choices_weekly
  on resident_choices (commune_id) where actualites and confirmed_at is not null;
