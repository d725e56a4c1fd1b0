import type { SignedIn } from '../../../platform/access/caller.ts'
import { changeMany } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import type { Deps } from '../../../platform/module.ts'
import { newDecisionId, recordDecision } from '../../recent-decisions/recording.ts'
import { countOpen, lockMembers, type Member, writeDistinct } from '../decisions/distinct.ts'
import { isLive } from '../decisions/states.ts'
import { publication } from '../record.ts'
import { BulkResponse, Distinguish } from './schema.ts'

const action = 'publication.distinguish'

export function distinguishRoute(scope: SignedInScope, tools: Deps): void {
  scope.patch(
    '/admin/publications/bulk/distinguish',
    {
      config: { audits: 'publication.distinguish', limit: 'moderate', refusals: ['not_found', 'conflict'] },
      schema: {
        operationId: 'distinguishPublications',
        summary:
          'Settle a group of suspected duplicates: they are none; a publication that joins brings it back',
        body: Distinguish,
        response: { 200: BulkResponse },
      },
    },
    async ({ body, caller }) => distinguish(tools, caller, body),
  )
}

/**
 * Settles a group of suspected duplicates that are none, all or nothing: 404 if one does not exist, 409 if these are
 * not exactly its members that are neither rejected nor deleted. A group that is settled already stays as it is.
 */
export function distinguish(
  { db }: Pick<Deps, 'db'>,
  caller: SignedIn,
  { ids }: Distinguish,
): Promise<BulkResponse> {
  const decisionId = newDecisionId()
  const kind = {
    ...publication,
    lock: lockMembers,
    write: (tx: Database, rows: Member[]) => writeDistinct(tx, rows),
    entries: ({ before, after }: Settled) => [
      { action, before: { distinct_by: before.distinct_by }, after: { distinct_by: after.distinct_by } },
    ],
    previous: ({ moderation_status, valide }: Member) => ({ moderation_status, valide }),
    isSame: ({ before, after }: Settled) => before.distinct_by === after.distinct_by,
    refused: 'deleted' as const,
  }
  return changeMany(db, caller, kind, { ids }, async (tx, members, save) => {
    if (members.length < new Set(ids.map((id) => id.toLowerCase())).size) throw notFound()
    if (!(await isWholeGroup(tx, members))) throw conflict()
    const [first] = members
    const isSettled = members.every(
      ({ distinct_by }) => distinct_by !== null && distinct_by === first?.distinct_by,
    )
    const after = (before: Member) => (isSettled ? before : { ...before, distinct_by: decisionId })
    const { results } = await save(members.map((before) => ({ before, after: after(before) })))
    const items = (isSettled ? [] : members).map(({ id: record_id, version, distinct_by }) => ({
      record_id,
      version_before: version,
      version,
      before: { distinct_by },
    }))
    const decision = { id: decisionId, kind: 'publication', action, outcome: null } as const
    const decision_id = await recordDecision(tx, caller, decision, items)
    return { data: results.data, meta: { ...results.meta, decision_id } }
  })
}

type Settled = { before: Member; after: Member }

/** A publication that joins later has no decision or another one: it brings the group back, so no lock is needed. */
async function isWholeGroup(tx: Database, members: readonly Member[]): Promise<boolean> {
  const [first, another] = members
  if (first === undefined || another === undefined) return false
  const isMember = (member: Member) =>
    member.duplicate_key === first.duplicate_key && isLive(member) && member.moderation_status !== 'rejected'
  return members.every(isMember) && members.length === (await countOpen(tx, first.duplicate_key))
}
