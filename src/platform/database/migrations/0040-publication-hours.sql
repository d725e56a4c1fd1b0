-- The hours of an event, by the clock in Paris: the first on its first day, the last on its last day.
alter table publications add column heure_debut time(0), add column heure_fin time(0);

-- Each is validated in the next file.
-- An hour belongs to a day, and an end to a beginning.
alter table publications add constraint publications_heure_debut_day
  check (heure_debut is null or date_debut is not null) not valid;
alter table publications add constraint publications_heure_fin_start
  check (heure_fin is null or heure_debut is not null) not valid;
-- Hours and minutes, as they are answered.
alter table publications add constraint publications_heures_minutes
  check (heure_debut < '24:00' and heure_fin < '24:00' and extract(second from heure_debut) = 0
    and extract(second from heure_fin) = 0) not valid;
-- On one day the end comes after the beginning; 00:00 is then the end of that day.
alter table publications add constraint publications_heures_order
  check (heure_fin > heure_debut or heure_fin = '00:00' or coalesce(date_fin > date_debut, false)) not valid;
