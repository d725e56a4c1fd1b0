-- outside a transaction
-- The map, close up: devices of a box with the filters of the national list, without reading their rows.
create index concurrently if not exists defibrillateurs_map
  on defibrillateurs (longitude, latitude) include (statut_admin_france, etat_fonctionnement, absent_depuis)
  where longitude is not null;

-- Syncs that are queued or running, which live events compare once a second: at most a few.
create index concurrently if not exists defibrillateur_syncs_open
  on defibrillateur_syncs (id) where status in ('queued', 'running');
