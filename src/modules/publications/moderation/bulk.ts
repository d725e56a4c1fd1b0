import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, invalid, notFound, validationFailed } from '../../../platform/errors.ts'
import { recordDecided } from '../decisions/record.ts'
import { type DecisionRow, listForUpdate, updateDecisions } from '../decisions/rows.ts'
import { problemOf, type State, type Trigger, transition } from '../decisions/states.ts'
import { readNow } from '../queries.ts'
import { publication } from '../record.ts'
import { closeReports } from './queries.ts'
import { decisionOf, type Tools } from './rules.ts'
import type { BulkFeature, BulkIds, BulkModeration, BulkResponse, BulkResult, Keep } from './schema.ts'

type Bulk = { action: string; ids: string[]; versions?: Record<string, number> | undefined }
/** A decision on one publication, with its reason. */
type Choice = { trigger: Trigger; reason?: string | null | undefined }

/** Applies one decision to up to 100 publications in one transaction, with as many statements as for one. */
export const moderateBulk = (tools: Tools, caller: SignedIn, body: BulkModeration): Promise<BulkResponse> =>
  decideBulk(tools, caller, { ...body, action: 'publication.moderate' }, () => ({
    trigger: { do: 'moderate', moderation_status: body.moderation_status },
    reason: body.reason,
  }))

export const deleteBulk = (tools: Tools, caller: SignedIn, body: BulkIds): Promise<BulkResponse> =>
  decideBulk(tools, caller, { ...body, action: 'publication.delete' }, () => ({ trigger: { do: 'delete' } }))

export const restoreBulk = (tools: Tools, caller: SignedIn, body: BulkIds): Promise<BulkResponse> =>
  decideBulk(tools, caller, { ...body, action: 'publication.restore' }, () => ({
    trigger: { do: 'restore' },
  }))

export async function featureBulk(tools: Tools, caller: SignedIn, body: BulkFeature): Promise<BulkResponse> {
  const until = body.featured_until ?? null
  const featured_until = until === null ? null : new Date(until)
  const trigger: Trigger = { do: 'feature', en_avant: body.en_avant, featured_until }
  const problem = problemOf(trigger, await readNow(tools.db))
  if (problem) throw validationFailed([problem])
  return decideBulk(tools, caller, { ...body, action: 'publication.feature' }, () => ({ trigger }))
}

/**
 * Publishes one publication and rejects its duplicates, all or nothing: 404 if one of them does not exist,
 * 409 if one is deleted.
 */
export function keepOne(
  tools: Tools,
  caller: SignedIn,
  id: string,
  { reject, reason }: Keep,
): Promise<BulkResponse> {
  const kept = id.toLowerCase()
  const rejected = reject.map((one) => one.toLowerCase())
  if (rejected.includes(kept)) throw invalid('reject', messages.both)
  const bulk = { action: 'publication.keep', ids: [kept, ...rejected] }
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
function decideBulk(
  { db, jobs }: Tools,
  caller: SignedIn,
  { action, ids, versions = {} }: Bulk,
  choose: (id: string) => Choice,
  check?: (answer: BulkResponse) => void,
): Promise<BulkResponse> {
  const seen = new Map(Object.entries(versions).map(([id, version]) => [id.toLowerCase(), version]))
  return db.transaction().execute(async (tx) => {
    const rows = await listForUpdate(tx, ids)
    const asSeen = rows.filter(({ id, version }) => (seen.get(id) ?? version) === version)
    const { now, closed } = await closeWhereDecided(tx, asSeen, choose)
    const decisions = asSeen.flatMap((before) => {
      const { trigger, reason } = choose(before.id)
      const { next } = transition(before, trigger, now)
      if (next === undefined) return []
      const as = { central: true, ...(reason !== undefined && { reason }) }
      const decision = trigger.do === 'moderate' ? decisionOf(before, next.moderation_status, as) : {}
      return [{ before, after: { ...before, ...next, ...decision } }]
    })
    const changed = decisions.filter(({ before, after }) => !isDeepStrictEqual(before, after))
    const written = await updateDecisions(
      tx,
      changed.map(({ after }) => after),
    )
    const changes = decisions.map(({ before, after }) => ({
      action,
      kind: publication,
      entityId: before.id,
      before,
      after: { ...after, reports_closed: closed.get(before.id)?.length },
    }))
    await recordAudits(tx, caller, changes)
    const decided = decisions.map(({ before, after }) => ({
      before,
      after: { ...after, version: written.get(before.id) ?? before.version },
      reports: closed.get(before.id) ?? [],
    }))
    const decision_id = await recordDecided(tx, { jobs }, caller, action, decided)
    const answered = answer(ids, {
      found: new Map(rows.map((row) => [row.id, row])),
      asSeen: new Set(asSeen.map(({ id }) => id)),
      decided: new Map(decisions.map(({ before, after }) => [before.id, after])),
    })
    const whole = { ...answered, meta: { ...answered.meta, decision_id } }
    check?.(whole)
    return whole
  })
}

/** Closes the open reports of moderated publications; deleting, featuring or restoring leaves them open. */
function closeWhereDecided(tx: Database, rows: DecisionRow[], choose: (id: string) => Choice) {
  return closeReports(
    tx,
    rows.flatMap(({ id, deleted_at }) =>
      deleted_at === null && choose(id).trigger.do === 'moderate' ? [id] : [],
    ),
  )
}

type Outcome = { found: Map<string, DecisionRow>; asSeen: Set<string>; decided: Map<string, DecisionRow> }

/** Builds the response: for each id the result and the state before. */
function answer(ids: string[], { found, asSeen, decided }: Outcome) {
  const meta = { updated: 0, unchanged: 0, not_found: 0, deleted: 0, changed: 0 }
  const data = ids.map((given) => {
    const id = given.toLowerCase()
    const [before, after] = [found.get(id), decided.get(id)]
    const result: BulkResult = before !== undefined && !asSeen.has(id) ? 'changed' : resultOf(before, after)
    meta[result] += 1
    // The second occurrence of an id compares with the state after the first.
    if (after !== undefined) found.set(id, after)
    return { id, result, previous: before === undefined || after === undefined ? null : shownState(before) }
  })
  return { data, meta }
}

function resultOf(before: DecisionRow | undefined, after: DecisionRow | undefined): BulkResult {
  if (before === undefined) return 'not_found'
  if (after === undefined) return 'deleted'
  return isSameState(before, after) ? 'unchanged' : 'updated'
}

const isSameState = (before: State, after: State) =>
  before.moderation_status === after.moderation_status &&
  before.valide === after.valide &&
  before.publie_le?.getTime() === after.publie_le?.getTime() &&
  before.en_avant === after.en_avant &&
  before.featured_until?.getTime() === after.featured_until?.getTime() &&
  before.deleted_at?.getTime() === after.deleted_at?.getTime()

const shownState = ({ moderation_status, valide }: State) => ({ moderation_status, valide })

const messages = {
  both: {
    en: 'must not name the publication that is kept',
    fr: 'ne doit pas nommer la publication à garder',
  },
}
