import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { changeMany, entryPerField } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { validationFailed } from '../../platform/errors.ts'
import { BulkResults, bulkIds, bulkVersions } from '../../platform/http/bulk.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { strictObject } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { findDeactivating, recordActivation } from './deactivating.ts'
import type { ActeurRow } from './queries.ts'
import { acteur } from './record.ts'
import { enqueueRefreshes } from './refresh-lists.ts'
import { Acteur, ActiveBody, BadgeBody, CanPublishBody, isLive } from './schema.ts'

const { active, ground, reason } = ActiveBody.properties
const { can_publish } = CanPublishBody.properties
const { badge } = BadgeBody.properties

const BulkDecision = strictObject({
  ...bulkIds,
  validate: Type.Optional(Type.Boolean({ description: 'Validated', examples: [true] })),
  active: Type.Optional(active),
  can_publish: Type.Optional(can_publish),
  badge: Type.Optional(badge),
  ground,
  reason,
  ...bulkVersions,
})
type BulkDecision = Static<typeof BulkDecision>

const decided = Type.Pick(Acteur, ['valide', 'active', 'can_publish', 'badge'])

const BulkAnswer = BulkResults(
  { result: 'ActeurBulkResult', answer: 'ActeurBulkAnswer' },
  Type.Object(decided.properties, {
    description: 'What it was before this decision, so that it can be undone',
  }),
  { refused: ['deleted'] },
)
type BulkAnswer = Static<typeof BulkAnswer>

export function bulkRoutes(scope: SignedInScope, deps: Deps): void {
  scope.patch(
    '/admin/acteurs/bulk',
    {
      config: { audits: 'acteur.validate, acteur.active, acteur.can_publish, acteur.badge' },
      schema: {
        operationId: 'decideActeurs',
        summary: 'The same decisions on up to a hundred acteurs, all or nothing',
        body: BulkDecision,
        response: { 200: BulkAnswer },
      },
    },
    async ({ body, caller }) => decideBulk(deps, caller, body),
  )
}

/** The audit action of each decision, the same as for a single acteur. */
const entriesOf = entryPerField<Decided>({
  valide: () => 'acteur.validate',
  active: () => 'acteur.active',
  can_publish: () => 'acteur.can_publish',
  badge: () => 'acteur.badge',
})

/** The audit entries of a decision. That of a deactivation names its ground. */
const entries = (one: Decision) =>
  entriesOf(one).map((entry) =>
    entry.action === 'acteur.active' ? { ...entry, after: { ...entry.after, ground: one.ground } } : entry,
  )

const acteurs = {
  ...acteur,
  lock: listForUpdate,
  entries,
  previous: ({ valide, active, can_publish, badge }: DecidedRow) => ({ valide, active, can_publish, badge }),
  refused: 'deleted' as const,
}

/** Takes the same decisions on up to a hundred acteurs. */
async function decideBulk(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  { ids, versions, validate, ground, reason, ...rest }: BulkDecision,
): Promise<BulkAnswer> {
  const decision: Partial<Decided> = { ...rest, ...(validate !== undefined && { valide: validate }) }
  if (Object.keys(decision).length === 0) throw validationFailed([{ field: '', message: nothing }])
  const kind = {
    ...acteurs,
    async write(tx: Database, rows: DecidedRow[]) {
      await updateDecided(tx, rows)
      const acteurIds = rows.map(({ id }) => id)
      await enqueueRefreshes(tx, jobs, acteurIds)
    },
  }
  return changeMany(db, caller, kind, { ids, versions }, async (tx, rows, save) => {
    const live = rows.filter(isLive)
    const deactivating = await findDeactivating(tx, { ...decision, ground, reason }, live)
    const taken = new Set(deactivating.ids)
    const { results } = await save(
      live.map((before) => ({
        before,
        after: { ...before, ...decision },
        ground: taken.has(before.id) ? deactivating.ground?.code : undefined,
      })),
    )
    await recordActivation(tx, jobs, caller, decision, deactivating, live)
    return results
  })
}

const nothing = {
  en: 'must decide something: validate, active, can_publish or badge',
  fr: 'doit décider quelque chose : validate, active, can_publish ou badge',
}

/** The fields that decisions read and write. */
type Decided = Pick<ActeurRow, 'valide' | 'active' | 'can_publish' | 'badge'>
type DecidedRow = Decided & Pick<ActeurRow, 'id' | 'version' | 'deleted_at'>
/** `ground`: its code, if it is deactivated. */
type Decision = { before: DecidedRow; after: DecidedRow; ground: string | undefined }

/** Locks acteurs by id, so that two concurrent calls wait for each other instead of deadlocking. */
async function listForUpdate(tx: Database, ids: string[]): Promise<DecidedRow[]> {
  const { rows } = await sql<DecidedRow>`
    select id, version, valide, active, can_publish, badge, deleted_at
    from acteurs where id = any(${ids}::uuid[]) and merged_into is null
    order by id for no key update`.execute(tx)
  return rows
}

/** Updates the decided fields of all these acteurs in one statement. */
async function updateDecided(tx: Database, rows: DecidedRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update acteurs a set valide = d.valide, active = d.active, can_publish = d.can_publish, badge = d.badge
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (
      id uuid, valide boolean, active boolean, can_publish boolean, badge text)
    where a.id = d.id`.execute(tx)
}
