-- The secteurs of the collections of a commune, written with its collections. A rename keeps the row, so that links,
-- calendars and reminders of the former name lead to the present one.
create table secteurs (
  commune_id uuid not null constraint secteurs_commune references communes on delete cascade,
  -- The name it had first, or a variant if another secteur had that one: the UIDs of its collections are made of it.
  nom_initial text not null,
  nom text not null,
  anciens_noms text[] not null default '{}',
  constraint secteurs_pkey primary key (commune_id, nom_initial)
);
create trigger secteurs_notify after insert or update or delete or truncate on secteurs
  for each statement execute function notify_change();
