import { sql } from 'kysely'
import { countFigure, sumFigure } from '../../platform/figures.ts'
import { listOf } from './listings.ts'
import { reportedLive } from './reports/queries.ts'

const live = sql`publication_counts where ${listOf({})} and not deleted`

export const publicationsFigures = {
  publications: sumFigure('Not deleted', 1_204, live),
  publications_pending: sumFigure('Of those, pending', 12, sql`${live} and moderation_status = 'pending'`),
  publications_reported: countFigure('Of those, with an open report of a reader', 3, reportedLive),
}
