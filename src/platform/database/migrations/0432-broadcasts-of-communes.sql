-- Broadcasts about one commune and day: the weekly mail of publications, and reminders of collections the evening before.
alter table broadcasts add column commune_id uuid;
alter table broadcasts add column day date;
alter table broadcasts add column hour smallint;
alter table broadcasts add column secteur text;
-- What a weekly mail shows, as chosen when it was made.
alter table broadcasts add column publication_ids uuid[];
alter table broadcasts add constraint broadcasts_commune foreign key (commune_id) references communes on delete cascade not valid;
alter table broadcasts drop constraint broadcasts_kind;
alter table broadcasts add constraint broadcasts_kind
  check (kind in ('alerte', 'alerte_fin', 'actualites', 'collectes')) not valid;
-- A broadcast about a day names its commune; a reminder its hour, a weekly mail its publications.
alter table broadcasts add constraint broadcasts_of_commune check (
  (kind in ('actualites', 'collectes')) = (commune_id is not null and day is not null)
  and (kind = 'collectes') = (hour is not null) and (kind = 'actualites') = (publication_ids is not null)) not valid;
