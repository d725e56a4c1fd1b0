import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import { changeMany } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { BulkResults, bulkIds, bulkVersions } from '../../platform/http/bulk.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { strictObject, textOrNull } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import type { ManagedRow } from './queries.ts'
import { auditedStatut, defibrillateur } from './record.ts'
import { StatutBody } from './schema.ts'

const BulkStatut = strictObject({
  ...bulkIds,
  ...StatutBody.properties,
  ...bulkVersions,
})
type BulkStatut = Static<typeof BulkStatut>

const BulkAnswer = BulkResults(
  { result: 'DefibrillateurBulkResult', answer: 'DefibrillateurBulkAnswer' },
  Type.Object(
    {
      statut_admin: StatutBody.properties.statut_admin,
      note: textOrNull('Vu sur place le 12 mai'),
    },
    { description: 'What it was before this change, of the national level' },
  ),
)
type BulkAnswer = Static<typeof BulkAnswer>

export function bulkRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.patch(
    '/admin/defibrillateurs-france/bulk',
    {
      config: { audits: 'defibrillateur.update' },
      schema: {
        operationId: 'updateFranceDefibrillateurs',
        summary: 'Set the national status of up to a hundred defibrillators, all or nothing',
        body: BulkStatut,
        response: { 200: BulkAnswer },
      },
    },
    async ({ body, caller }) => setStatuts(db, caller, body),
  )
}

const devices = {
  ...defibrillateur,
  lock: listForUpdate,
  write: updateStatuts,
  entries: ({ before, after }: { before: StatutRow; after: StatutRow }) => [
    {
      action: 'defibrillateur.update',
      before: auditedStatut('france', before),
      after: auditedStatut('france', after),
    },
  ],
  previous: ({ statut_admin, note }: StatutRow) => ({ statut_admin, note }),
}

/** Sets the national status of up to a hundred devices. An absent note stays as it is. */
const setStatuts = (
  db: Database,
  caller: Caller,
  { ids, versions, statut_admin, note }: BulkStatut,
): Promise<BulkAnswer> =>
  changeMany(db, caller, devices, { ids, versions }, async (_tx, rows, save) => {
    const decided = rows.map((before) => ({
      before,
      after: { ...before, statut_admin, note: note === undefined ? before.note : note },
    }))
    return (await save(decided)).results
  })

/** The national level of a device. */
type StatutRow = Pick<ManagedRow, 'id' | 'version' | 'statut_admin' | 'note'>

/** Locks devices by id, so that two concurrent calls wait for each other instead of deadlocking. */
async function listForUpdate(tx: Database, ids: string[]): Promise<StatutRow[]> {
  const { rows } = await sql<StatutRow>`
    select id, version, statut_admin_france as statut_admin, note_france as note
    from defibrillateurs where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

/** Writes the national level of all these devices in one statement. */
async function updateStatuts(tx: Database, rows: StatutRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update defibrillateurs d set statut_admin_france = s.statut_admin, note_france = s.note
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id uuid, statut_admin text, note text)
    where d.id = s.id`.execute(tx)
}
