import { sql } from 'kysely'
import type { Waiting, WatchedRows } from '../../platform/module.ts'

/** Counts the sources whose latest run failed; `oldest_at` is the oldest of these runs. */
export const runsWaiting: Waiting = {
  key: 'runs',
  area: 'import-sources',
  rows: () => sql`
    select count(*) as count, min(r.finished_at) as oldest_at
    from import_sources s left join lateral (
      select finished_at from import_runs
      where source_id = s.id and not dry_run order by started_at desc, id desc limit 1) r on true
    where s.failures > 0 and s.deleted_at is null`,
}

/** Changes when a run is queued, begins, imports a batch or ends: schedules and jobs write no audit entry. */
export const runsWatched: WatchedRows = {
  topics: ['runs'],
  state: sql`
    select concat_ws(' ', (select max(finished_at) from import_runs where finished_at is not null),
      (select concat_ws(' ', count(*), max(alive_at)) from import_runs where status in ('queued', 'running')))`,
}
