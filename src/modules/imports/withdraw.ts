import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { change } from '../../platform/change.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import {
  Id,
  nullable,
  record,
  strictObject,
  Timestamp,
  text,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/module.ts'
import { readNow } from '../publications/importing/queries.ts'
import { countSelected, decideSelected, decidingJobs, type Selection } from './bulk-decisions.ts'
import { importInProgress } from './errors.ts'
import { hasRunUnderWay } from './queries.ts'
import { importSource } from './record.ts'
import { ById } from './schema.ts'

const optionalText = Type.Union([Type.String(), Type.Null()])

export const withdraw = defineJob(
  decidingJobs.withdraw,
  Type.Object({
    sourceId: Type.String(),
    since: optionalText,
    until: Type.String(),
    reason: optionalText,
    userId: Type.String(),
    requestId: optionalText,
  }),
)

/** Rejects the publications of a source on behalf of the administrator. */
export function withdrawHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(withdraw, async ({ reason, userId, requestId, ...withdrawn }, { signal }) => {
    const by = { userId, requestId }
    const decision = { moderation_status: 'rejected', reason } as const
    const publications = await decideSelected({ db, jobs }, imported(withdrawn), by, decision, signal)
    log.info(
      { import_source_id: withdrawn.sourceId, publications },
      'publications of an import source withdrawn',
    )
  })
}

type Period = { sourceId: string; since: string | null; until: string }

/** The publications that a source imported within a period and that are not rejected. */
export const imported = ({ sourceId, since, until }: Period): Selection => sql`
  import_items i join publications p on p.id = i.publication_id
  where i.source_id = ${sourceId} and p.deleted_at is null and p.moderation_status <> 'rejected'
    and p.created_at <= ${until}::timestamptz and p.created_at >= coalesce(${since}::timestamptz, '-infinity')`

const WithdrawBody = strictObject(
  {
    since: nullable(
      Timestamp(
        'Only publications imported from this moment on, such as the start of a run; null: all of them',
      ),
    ),
    reason: Type.Optional(
      nullable(
        text(1_000, { description: 'Kept as the moderation reason of each', examples: ['Source piratée'] }),
      ),
    ),
  },
  { examples: [{ since: null, reason: 'Source piratée' }] },
)
type WithdrawBody = Static<typeof WithdrawBody>

const Withdrawal = titled('ImportWithdrawal', {
  id: Id('Identifier of the import source'),
  publications: Type.Integer({
    description: 'How many are withdrawn; sent again later, how many are left',
    examples: [12],
  }),
})
type Withdrawal = Static<typeof Withdrawal>

export function withdrawRoutes(scope: SignedInScope, { db, jobs }: Deps): void {
  scope.post(
    '/admin/import-sources/:id/withdraw',
    {
      config: {
        audits: 'import_source.withdraw',
        refusals: ['precondition_failed', 'import_in_progress'],
      },
      schema: {
        operationId: 'withdrawImportSource',
        summary: 'Reject what a source has published, all of it or since a moment, in the background',
        params: ById,
        body: WithdrawBody,
        response: { 202: record(Withdrawal) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(202).send({ data: await withdrawPublications({ db, jobs }, caller, params.id, body) }),
  )
}

/** Enqueues a job that rejects all publications of a source, or those since a moment. */
async function withdrawPublications(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  { since, reason = null }: WithdrawBody,
): Promise<Withdrawal> {
  const wanted = { id, action: 'import_source.withdraw' }
  return change(db, caller, importSource, wanted, async (tx, before, save) => {
    if (await hasRunUnderWay(tx, id)) throw importInProgress()
    const until = (await readNow(tx)).toISOString()
    const withdrawn = { sourceId: before.id, since, until }
    const publications = await countSelected(tx, imported(withdrawn))
    const by = { userId: caller.user.id, requestId: caller.requestId }
    await jobs.enqueue(tx, withdraw, { ...withdrawn, ...by, reason })
    await save({}, { after: { withdrawn_since: since, withdrawn_until: until, publications } })
    return { id, publications }
  })
}
