import { sql } from 'kysely'
import { countFigure } from '../../platform/figures.ts'
import type { DailyCounts, Waiting } from '../../platform/module.ts'
import { reportedLive } from './reports/queries.ts'

const live = sql`publications p where p.deleted_at is null`
const pending = sql`${live} and p.moderation_status = 'pending'`

export const publicationsFigures = {
  publications: countFigure('Not deleted', 1_204, live),
  publications_pending: countFigure('Of those, pending', 12, pending),
  publications_unscheduled: countFigure(
    'Accepted, but hidden because they have no publication time',
    2,
    sql`publications p where p.moderation_status = 'approved' and p.valide and p.publie_le is null and p.deleted_at is null`,
  ),
  publications_reported: countFigure('Of those, with an open report of a reader', 3, reportedLive),
}

/** Daily counts. Decisions and reports come from the audit log, which keeps them permanently. */
export const publicationsDaily: DailyCounts = {
  created: {
    description: 'Publications created, deleted ones too',
    count: (since, until) => sql`
      select count(*) from publications p where p.created_at >= ${since} and p.created_at < ${until}`,
  },
  published: {
    description:
      'Publications whose time of publication has come, unless they are hidden for not being valid',
    count: (since, until) => sql`
      select count(*) from publications p
      where p.publie_le >= ${since} and p.publie_le < ${until} and p.publie_le <= now() and p.valide`,
  },
  rejected: {
    description: 'Publications rejected, unless that was undone',
    count: (since, until) => sql`
      select count(distinct l.entity_id) from audit_log l
      where l.action in ('publication.moderate', 'publication.keep') and l.at >= ${since} and l.at < ${until}
        and l.after ->> 'moderation_status' = 'rejected'
        and not exists (
          select from audit_log u where u.entity_id = l.entity_id and u.at > l.at and u.at < l.at + interval '1 hour'
            and u.action = 'publication.undo' and u.before ->> 'moderation_status' = 'rejected')`,
  },
  reported: {
    description: 'Publications that readers reported',
    count: (since, until) => sql`
      select count(distinct l.entity_id) from audit_log l
      where l.action = 'publication.report' and l.at >= ${since} and l.at < ${until}`,
  },
}

export const publicationsWaiting: Waiting[] = [
  {
    key: 'publications',
    area: 'publications',
    rows: () => sql`
      select (select count(*) from ${pending}) as count,
      (select p.created_at from ${pending} order by p.created_at, p.id limit 1) as oldest_at`,
  },
  {
    key: 'reports',
    area: 'publications',
    rows: () => sql`
      select count(*) as count, min(first_at) as oldest_at from (
        select (select min(r.created_at) from publication_reports r
          where r.publication_id = reported.publication_id and r.closed_at is null) as first_at
        from ${reportedLive}) open_reports`,
  },
]
