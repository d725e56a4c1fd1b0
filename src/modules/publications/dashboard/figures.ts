import { sql } from 'kysely'
import { countFigure, sumFigure } from '../../../platform/figures.ts'
import type { DailyCounts } from '../../../platform/module.ts'
import { reportedLive } from '../reports/queries.ts'
import { listOf } from '../stored-lists.ts'

const live = sql`publication_counts where ${listOf({})} and not deleted`

export const publicationsFigures = {
  publications: sumFigure('Not deleted', 1_204, live),
  publications_pending: sumFigure('Of those, pending', 12, sql`${live} and moderation_status = 'pending'`),
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
