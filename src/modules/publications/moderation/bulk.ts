import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { changeMany } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import type { Deps } from '../../../platform/module.ts'
import type { Ground } from '../../grounds/grounds.ts'
import { findGiven } from '../../grounds/statements.ts'
import { requireDescribedIn } from '../../media/images.ts'
import { recordDecided } from '../decisions/record.ts'
import { findRestricting } from '../decisions/restricting.ts'
import { type DecisionRow, listForUpdate, updateDecisions } from '../decisions/rows.ts'
import { stateOf, type Trigger, transition } from '../decisions/states.ts'
import { publication } from '../record.ts'
import { ById } from '../schema.ts'
import { closeReports } from './queries.ts'
import { decisionOf, moderationOf, refusals, requireValid, type Tools } from './rules.ts'
import {
  BulkDeletion,
  BulkFeature,
  BulkIds,
  BulkModeration,
  BulkReportsClosing,
  BulkResponse,
  Keep,
} from './schema.ts'

type Bulk = {
  action: string
  ids: string[]
  versions?: Record<string, number> | undefined
  /** Whether authors and owners get a mail of what is restricted; by default they do. */
  mails?: boolean
  ground?: string | undefined
  reason?: string | null | undefined
  preferred?: string
}
/** A decision on one publication, with its reason. */
type Choice = { trigger: Trigger; reason?: string | null | undefined }

/** Routes for one decision on up to a hundred publications. */
export function bulkRoutes(scope: SignedInScope, tools: Deps): void {
  scope.patch(
    '/admin/publications/bulk/moderate',
    {
      config: { audits: 'publication.moderate', limit: 'moderate', refusals: ['alt_required'] },
      schema: {
        operationId: 'moderatePublications',
        summary: 'One decision on up to a hundred publications, all or nothing',
        body: BulkModeration,
        response: { 200: BulkResponse },
      },
    },
    async ({ body, caller }) => moderateBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/delete',
    {
      config: { audits: 'publication.delete', limit: 'moderate' },
      schema: {
        operationId: 'deletePublications',
        summary: 'Delete up to a hundred publications; they can be restored',
        body: BulkDeletion,
        response: { 200: BulkResponse },
      },
    },
    async ({ body, caller }) => deleteBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/restore',
    {
      config: { audits: 'publication.restore', limit: 'moderate' },
      schema: {
        operationId: 'restorePublications',
        summary: 'Restore up to a hundred deleted publications as they were',
        body: BulkIds,
        response: { 200: BulkResponse },
      },
    },
    async ({ body, caller }) => restoreBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/feature',
    {
      config: { audits: 'publication.feature', limit: 'moderate' },
      schema: {
        operationId: 'featurePublications',
        summary: 'Feature up to a hundred publications, or stop featuring them',
        body: BulkFeature,
        response: { 200: BulkResponse },
      },
    },
    async ({ body, caller }) => featureBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/close-reports',
    {
      config: { audits: 'publication.close_reports', limit: 'moderate' },
      schema: {
        operationId: 'closeReportsOfPublications',
        summary: 'Close the open reports of up to a hundred publications without deciding on them',
        description: '`updated`: its reports were closed. `unchanged`: it had none.',
        body: BulkReportsClosing,
        response: { 200: BulkResponse },
      },
    },
    async ({ body, caller }) => closeReportsBulk(tools, caller, body),
  )
}

/**
 * Applies one decision to up to 100 publications in one transaction, with as many statements as for one. 422 if one of
 * them is to be scheduled and its time of publication has passed.
 */
export async function moderateBulk(
  tools: Tools,
  caller: SignedIn,
  body: BulkModeration,
  { mails = true }: Pick<Bulk, 'mails'> = {},
): Promise<BulkResponse> {
  const choice = { trigger: moderationOf(body), reason: body.reason }
  await requireValid(tools.db, choice.trigger)
  return decideBulk(tools, caller, { ...body, action: 'publication.moderate', mails }, () => choice)
}

export const deleteBulk = (tools: Tools, caller: SignedIn, body: BulkDeletion): Promise<BulkResponse> =>
  decideBulk(tools, caller, { ...body, action: 'publication.delete' }, () => ({ trigger: { do: 'delete' } }))

export const restoreBulk = (tools: Tools, caller: SignedIn, body: BulkIds): Promise<BulkResponse> =>
  decideBulk(tools, caller, { ...body, action: 'publication.restore' }, () => ({
    trigger: { do: 'restore' },
  }))

/** Closes the open reports of up to 100 publications; one without open reports is unchanged. */
export const closeReportsBulk = (
  tools: Tools,
  caller: SignedIn,
  body: BulkReportsClosing,
): Promise<BulkResponse> =>
  decideBulk(tools, caller, { ...body, action: 'publication.close_reports' }, () => ({
    trigger: { do: 'close_reports' },
  }))

export async function featureBulk(tools: Tools, caller: SignedIn, body: BulkFeature): Promise<BulkResponse> {
  const until = body.featured_until ?? null
  const featured_until = until === null ? null : new Date(until)
  const trigger: Trigger = { do: 'feature', en_avant: body.en_avant, featured_until }
  await requireValid(tools.db, trigger)
  return decideBulk(tools, caller, { ...body, action: 'publication.feature' }, () => ({ trigger }))
}

export function keepRoute(scope: SignedInScope, tools: Deps): void {
  scope.post(
    '/admin/publications/:id/keep',
    {
      config: { audits: 'publication.keep', limit: 'moderate', refusals: ['conflict', 'alt_required'] },
      schema: {
        operationId: 'keepPublication',
        summary: 'Publish one of a group of duplicates and reject the others, all or nothing',
        params: ById,
        body: Keep,
        response: { 200: BulkResponse },
      },
    },
    async ({ params, body, caller }) => keepOne(tools, caller, params.id, body),
  )
}

/**
 * Publishes one publication and rejects its duplicates, all or nothing: 404 if one of them does not exist,
 * 409 if one is deleted.
 */
export function keepOne(
  tools: Tools,
  caller: SignedIn,
  id: string,
  { reject, reason, ground }: Keep,
): Promise<BulkResponse> {
  const kept = id.toLowerCase()
  const rejected = reject.map((one) => one.toLowerCase())
  if (rejected.includes(kept)) throw invalid('reject', messages.both)
  const why = { ground, reason, preferred: 'doublon' }
  const bulk = { action: 'publication.keep', ids: [kept, ...rejected], ...why }
  const choose = (one: string): Choice =>
    one === kept
      ? { trigger: { do: 'moderate', moderation_status: 'published' } }
      : { trigger: { do: 'moderate', moderation_status: 'rejected' }, reason }
  return decideBulk(tools, caller, bulk, choose, ({ meta }) => {
    if (meta.not_found > 0) throw notFound()
    if (meta.deleted > 0) throw conflict()
  })
}

/** Applies the decisions in one transaction; `check` gets the response before the commit and may throw. */
async function decideBulk(
  { db, jobs }: Tools,
  caller: SignedIn,
  { action, ids, versions, mails = true, ground, reason, preferred }: Bulk,
  choose: (id: string) => Choice,
  check?: (answer: BulkResponse) => void,
): Promise<BulkResponse> {
  const why = { ground: await findGiven(db, ground), reason, preferred }
  const kind = {
    ...publication,
    lock: listForUpdate,
    write: updateDecisions,
    entries: ({ before, after, reports, ground }: Restricted) => [
      { action, before, after: { ...after, reports_closed: reports?.length, ground } },
    ],
    previous: ({ moderation_status, valide }: DecisionRow) => ({ moderation_status, valide }),
    isSame: ({ before, after, reports, ground }: Restricted) =>
      choose(before.id).trigger.do === 'close_reports'
        ? reports === undefined
        : ground === undefined && isDeepStrictEqual(stateOf(before), stateOf(after)),
    refused: 'deleted' as const,
  }
  return changeMany(db, caller, kind, { ids, versions }, async (tx, rows, save) => {
    const { closed, now } = await closeWhereDecided(tx, rows, choose, why.ground)
    const decided = decideRows(rows, choose, { closed, now })
    const accepted = decided.filter(({ before, after }) => after.valide && !before.valide)
    await requireDescribedIn(
      tx,
      accepted.map(({ before }) => before.id),
      ids,
    )
    const verb = action === 'publication.keep' ? 'keep' : choose(ids[0] ?? '').trigger.do
    const restricting = await findRestricting(tx, verb, decided, why, now)
    const { ground, restrictions } = restricting
    const { results, written } = await save(
      decided.map((one) => ({ ...one, ground: restrictions.has(one.before.id) ? ground?.code : undefined })),
    )
    const all = decided.map(({ before, after, reports = [] }) => ({
      before,
      after: { ...after, version: written.get(before.id) ?? before.version },
      reports,
    }))
    const decision_id = await recordDecided(tx, { jobs }, caller, { action, restricting, mails }, all)
    const answer = { data: results.data, meta: { ...results.meta, decision_id } }
    check?.(answer)
    return answer
  })
}

type Closing = { closed: Map<string, string[]>; now: Date }

/** Applies the decision on each; leaves out those that cannot be decided. */
const decideRows = (rows: DecisionRow[], choose: (id: string) => Choice, { closed, now }: Closing) =>
  rows.flatMap((before): Decided[] => {
    const { trigger, reason } = choose(before.id)
    const { next, refused } = transition(before, trigger, now)
    if (refused === 'time_passed') throw refusals.time_passed()
    if (next === undefined) return []
    const as = { central: true, ...(reason !== undefined && { reason }) }
    const decision = trigger.do === 'moderate' ? decisionOf(before, next.moderation_status, as) : {}
    return [{ before, after: { ...before, ...next, ...decision }, reports: closed.get(before.id) }]
  })

type Decided = { before: DecisionRow; after: DecisionRow; reports: string[] | undefined }
/** `ground`: its code, if the decision takes something from it. */
type Restricted = Decided & { ground: string | undefined }

/** Closes open reports, where that is the decision or part of it; deleting, featuring or restoring leaves them open. */
function closeWhereDecided(
  tx: Database,
  rows: DecisionRow[],
  choose: (id: string) => Choice,
  ground: Ground | undefined,
) {
  const isUnfounded = rows.some(({ id }) => choose(id).trigger.do === 'close_reports')
  return closeReports(
    tx,
    rows.flatMap(({ id, deleted_at }) =>
      deleted_at === null && ['moderate', 'close_reports'].includes(choose(id).trigger.do) ? [id] : [],
    ),
    isUnfounded ? 'unfounded' : 'decided',
    ground,
  )
}

const messages = {
  both: {
    en: 'must not name the publication that is kept',
    fr: 'ne doit pas nommer la publication à garder',
  },
}
