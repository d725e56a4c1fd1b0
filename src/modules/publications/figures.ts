import { sql } from 'kysely'
import { countFigure, sumFigure } from '../../platform/figures.ts'
import { reportedLive } from './reports/queries.ts'
import { listOf } from './stored-lists.ts'

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
