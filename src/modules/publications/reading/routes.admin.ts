import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { readList } from '../../../platform/http/listing/list.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { withCan } from '../decisions/states.ts'
import { withRecords } from '../office.ts'
import { getOfficePublication } from '../queries.ts'
import { reportsOfPublication } from '../reports/queries.ts'
import { type Refusal, ReportedPublication, shownRefusals, shownReports } from '../reports/schema.ts'
import { ById } from '../schema.ts'

/**
 * Lists what was rejected of the acteur of a publication in the last year, newest first. The index of the acteur alone finds
 * them: of a prolific one, no row of another status is read.
 */
async function listRefusals(
  db: Database,
  { id, acteur_id }: { id: string; acteur_id: string | null },
): Promise<Refusal[]> {
  if (acteur_id === null) return []
  const { rows } = await sql<Refusal>`
    with rejected as materialized (
      select id from publications
      where acteur_id = ${acteur_id} and moderation_status = 'rejected' and deleted_at is null and id <> ${id}
        and created_at > now() - interval '1 year'
      order by created_at desc, id desc limit ${sql.lit(shownRefusals)})
    select p.id, p.title as titre, p.moderation_reason, p.created_at
    from rejected join publications p using (id) order by p.created_at desc, p.id desc`.execute(db)
  return rows
}

const newest = { limit: shownReports, offset: 0, isCounted: false }

export function readingAdminRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/admin/publications/:id',
    {
      schema: {
        operationId: 'getManagedPublication',
        summary: 'One publication, in whatever state, with its newest reports',
        params: ById,
        response: { 200: record(ReportedPublication) },
      },
    },
    async ({ params, caller }) => {
      const [publication, reports, present] = await Promise.all([
        getOfficePublication(reads, params.id),
        readList(reads, reportsOfPublication, { publication_id: params.id }, newest),
        listPresent(reads, caller, { kind: 'publication', id: params.id }),
      ])
      const [[whole = raise(notFound())], refusals] = await Promise.all([
        withRecords(reads, [publication]),
        listRefusals(reads, publication),
      ])
      return { data: { ...withCan(whole), refusals, reports: reports.rows, present } }
    },
  )
}
