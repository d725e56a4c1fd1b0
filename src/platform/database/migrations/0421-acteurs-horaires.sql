-- Opening hours of an acteur, as OpenStreetMap writes them; null: unknown.
alter table acteurs add column horaires text;
