import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { change, type RecordKind } from '../../platform/change.ts'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import {
  Id,
  noBody,
  nullable,
  oneOf,
  record,
  strictObject,
  text,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/module.ts'
import { ByRunId } from './all-runs.ts'
import { countSelected, decideSelected, decidingJobs, type Selection } from './bulk-decisions.ts'
import { importRun } from './record.ts'
import { type HeldDecision, heldDecisions, Run, runActions } from './schema.ts'

const optionalText = Type.Union([Type.String(), Type.Null()])

export const decideHeldJob = defineJob(
  decidingJobs.held,
  Type.Object({
    sourceId: Type.String(),
    since: Type.String(),
    until: Type.String(),
    decision: oneOf(heldDecisions),
    reason: optionalText,
    userId: Type.String(),
    requestId: optionalText,
  }),
)

/** Decides the held publications of a run on behalf of a colleague. */
export function decideHeldHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(decideHeldJob, async ({ decision, reason, userId, requestId, ...ofRun }, { signal }) => {
    const moderation_status = decision === 'accepted' ? 'published' : 'rejected'
    const by = { userId, requestId }
    const publications = await decideSelected(
      { db, jobs },
      held(ofRun),
      by,
      { moderation_status, reason },
      signal,
    )
    log.info(
      { import_source_id: ofRun.sourceId, decision, publications },
      'held publications of an import decided',
    )
  })
}

/** A run is decided once and its counts are final: it has no version that changes. */
export type HeldRun = Run & { version: number }

const columns = columnList(Run.properties, 'r')

/** Locks a run until the transaction ends; 404 if its source was deleted. */
export async function getRunForUpdate(tx: Database, id: string): Promise<HeldRun> {
  const { rows } = await sql<HeldRun>`
    select ${columns}, 1 as version from import_runs r
    join import_sources s on s.id = r.source_id and s.deleted_at is null
    where r.id = ${id} for no key update of r`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function updateRun(
  tx: Database,
  id: string,
  { held_decision, held_decided_at }: Partial<HeldRun>,
): Promise<HeldRun> {
  const { rows } = await sql<HeldRun>`
    update import_runs r set held_decision = ${held_decision}, held_decided_at = ${held_decided_at}
    where r.id = ${id} returning ${columns}, 1 as version`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** The publications that a source imported from the beginning to the end of one run. */
type OfRun = { sourceId: string; since: string; until: string }

/** A source has one run at a time, so the time tells which publications a run created. */
export const held = ({ sourceId, since, until }: OfRun): Selection => sql`
  import_items i join publications p on p.id = i.publication_id
  where i.source_id = ${sourceId} and p.deleted_at is null and p.moderation_status = 'pending'
    and p.created_at >= ${since}::timestamptz and p.created_at <= ${until}::timestamptz`

const HeldRefusal = strictObject(
  {
    reason: Type.Optional(
      nullable(
        text(1_000, { description: 'Kept as the moderation reason of each', examples: ['Flux piraté'] }),
      ),
    ),
  },
  { examples: [{ reason: 'Flux piraté' }] },
)

const HeldDecided = titled('ImportHeldDecided', {
  id: Id('Identifier of the run'),
  publications: Type.Integer({ description: 'How many are decided', examples: [312] }),
})
type HeldDecided = Static<typeof HeldDecided>

export function heldRoutes(scope: SignedInScope, { db, jobs, clock }: Deps): void {
  scope.post(
    '/admin/import-runs/:id/accept',
    {
      config: { audits: 'import_run.accept', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'acceptImportRun',
        summary: 'Publish what a run held back because it was unusually large, in the background',
        params: ByRunId,
        body: noBody,
        response: { 202: record(HeldDecided) },
      },
    },
    async ({ params, caller }, reply) => {
      const decided = { decision: 'accepted', reason: null } as const
      return reply
        .code(202)
        .send({ data: await decideHeld({ db, jobs }, caller, params.id, decided, clock()) })
    },
  )

  scope.post(
    '/admin/import-runs/:id/refuse',
    {
      config: { audits: 'import_run.refuse', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'refuseImportRun',
        summary: 'Reject what a run held back because it was unusually large, in the background',
        params: ByRunId,
        body: HeldRefusal,
        response: { 202: record(HeldDecided) },
      },
    },
    async ({ params, body: { reason = null }, caller }, reply) => {
      const decided = { decision: 'refused', reason } as const
      return reply
        .code(202)
        .send({ data: await decideHeld({ db, jobs }, caller, params.id, decided, clock()) })
    },
  )
}

const heldRun = {
  ...importRun,
  lock: getRunForUpdate,
  write: (tx, { id }, values) => updateRun(tx, id, values),
  auditedValues: ({ held_decision }) => ({ held_decision }),
} satisfies RecordKind<HeldRun>

type Decided = { decision: HeldDecision; reason: string | null }

/** Decides once about all publications that a run held back, in the background; then 409. */
async function decideHeld(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  { decision, reason }: Decided,
  now: Date,
): Promise<HeldDecided> {
  const action = decision === 'accepted' ? 'import_run.accept' : 'import_run.refuse'
  return change(db, caller, heldRun, { id, action }, async (tx, run, save) => {
    if (!runActions.accept(run) || run.finished_at === null) throw conflict()
    // The end of a run is cut to the millisecond, and the times of its publications are rounded.
    const until = new Date(run.finished_at.getTime() + 1).toISOString()
    const ofRun = { sourceId: run.source_id, since: run.started_at.toISOString(), until }
    const publications = await countSelected(tx, held(ofRun))
    const by = { userId: caller.user.id, requestId: caller.requestId }
    await jobs.enqueue(tx, decideHeldJob, { ...ofRun, ...by, decision, reason })
    await save({ held_decision: decision, held_decided_at: now }, { after: { publications } })
    return { id, publications }
  })
}
