-- The map of the back-office: counts of devices by cell of a grid, so that a map of all France reads some thousand
-- cells instead of every device. This is level 12 of the grid, which halves with each level: coarser cells are sums.
-- The cell of a place is floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096): the divisor 252
-- makes cells about square on a Mercator map at the latitude of France.
create table defibrillateur_map_cells (
  x integer not null,
  y integer not null,
  -- The filters of the national list.
  statut_admin_france text not null,
  -- Empty where the registry says nothing.
  etat_fonctionnement text not null,
  is_absent boolean not null,
  -- May be 0: cells are never deleted. No check of n >= 0: an upsert checks the row that it proposes, and that of a
  -- device which leaves a cell is negative.
  n integer not null,
  -- Sums in millionths of a degree: unlike sums of floats, they do not drift.
  longitudes bigint not null,
  latitudes bigint not null,
  constraint defibrillateur_map_cells_pkey primary key (x, y, statut_admin_france, etat_fonctionnement, is_absent)
) with (fillfactor = 70);

-- Adds the devices of a statement to their cells, or takes them off. In the order of the key, so that two statements
-- wait for each other instead of deadlocking.
create function count_on_map() returns trigger language plpgsql as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into defibrillateur_map_cells as cells
  select floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096), statut_admin_france,
    coalesce(etat_fonctionnement, ''), absent_depuis is not null, step * count(*),
    step * sum(round(longitude * 1000000)::bigint), step * sum(round(latitude * 1000000)::bigint)
  from devices where longitude is not null
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict on constraint defibrillateur_map_cells_pkey do update set n = cells.n + excluded.n,
    longitudes = cells.longitudes + excluded.longitudes, latitudes = cells.latitudes + excluded.latitudes;
  return null;
end
$$;

-- The same for changed devices: writes only the cells whose sums change.
create function recount_on_map() returns trigger language plpgsql as $$
begin
  insert into defibrillateur_map_cells as cells
  select floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096), statut_admin_france,
    coalesce(etat_fonctionnement, ''), absent_depuis is not null, sum(step),
    sum(step * round(longitude * 1000000)::bigint), sum(step * round(latitude * 1000000)::bigint)
  from (
    select -1 as step, longitude, latitude, statut_admin_france, etat_fonctionnement, absent_depuis from old_rows
    union all
    select 1, longitude, latitude, statut_admin_france, etat_fonctionnement, absent_depuis from new_rows
  ) as changes where longitude is not null
  group by 1, 2, 3, 4, 5
  having sum(step) <> 0 or sum(step * round(longitude * 1000000)::bigint) <> 0
    or sum(step * round(latitude * 1000000)::bigint) <> 0
  order by 1, 2, 3, 4, 5
  on conflict on constraint defibrillateur_map_cells_pkey do update set n = cells.n + excluded.n,
    longitudes = cells.longitudes + excluded.longitudes, latitudes = cells.latitudes + excluded.latitudes;
  return null;
end
$$;

-- Reads continue; writes wait until the devices of now are counted, which takes a second or two for 190 000.
create trigger defibrillateurs_map_inserted after insert on defibrillateurs
  referencing new table as devices for each statement execute function count_on_map();
create trigger defibrillateurs_map_updated after update on defibrillateurs
  referencing old table as old_rows new table as new_rows for each statement execute function recount_on_map();
create trigger defibrillateurs_map_deleted after delete on defibrillateurs
  referencing old table as devices for each statement execute function count_on_map();

insert into defibrillateur_map_cells
select floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096), statut_admin_france,
  coalesce(etat_fonctionnement, ''), absent_depuis is not null, count(*),
  sum(round(longitude * 1000000)::bigint), sum(round(latitude * 1000000)::bigint)
from defibrillateurs where longitude is not null group by 1, 2, 3, 4, 5;

-- How far a running sync is. Apart from the sync, whose row is locked while its transaction lasts.
create table defibrillateur_sync_progress (
  sync_id uuid constraint defibrillateur_sync_progress_pkey primary key
    constraint defibrillateur_sync_progress_sync references defibrillateur_syncs on delete cascade,
  -- Rows of the registry read so far.
  read integer not null,
  constraint defibrillateur_sync_progress_read check (read >= 0)
);

-- Why a sync failed: {code, received?, present?, missing?, examples?}. `error` says the same in English.
alter table defibrillateur_syncs add column failure jsonb;
