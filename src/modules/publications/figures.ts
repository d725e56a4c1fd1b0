import { sql } from 'kysely'
import { countFigure } from '../../platform/figures.ts'

export const publicationsFigures = {
  publications: countFigure('Not deleted', 1_204, sql`publications where deleted_at is null`),
  publications_pending: countFigure(
    'Of those, pending',
    12,
    sql`publications where deleted_at is null and moderation_status = 'pending'`,
  ),
  publications_reported: countFigure(
    'Of those, with an open report of a reader',
    3,
    sql`(select distinct publication_id from publication_reports where closed_at is null) reported
        join publications on publications.id = publication_id and deleted_at is null`,
  ),
}
