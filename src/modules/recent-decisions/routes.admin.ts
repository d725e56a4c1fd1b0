import { opens } from '../../platform/access/areas.ts'
import type { SignedIn } from '../../platform/access/caller.ts'
import { type RecordKindName, recordKinds, requireKind } from '../../platform/access/record-kinds.ts'
import { allowedOf, allows, relationsOf } from '../../platform/access/rules.ts'
import { adminRequired, forbidden } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { Deps } from '../../platform/module.ts'
import type { Undoable } from '../../platform/undo.ts'
import { undoExpired } from './errors.ts'
import { decisionRules } from './permissions.ts'
import * as queries from './queries.ts'
import { ById, type Decision, Decisions, DecisionsQuery, UndoAnswer } from './schema.ts'

export function decisionsRoutes(scope: SignedInScope, deps: Deps): void {
  scope.get(
    '/admin/decisions',
    {
      config: { needs: 'decision.list_all' },
      schema: {
        operationId: 'listDecisions',
        summary: 'The caller’s last 20 decisions, or for administrators everybody’s, newest first',
        querystring: DecisionsQuery,
        response: { 200: Decisions },
      },
    },
    async ({ query, caller }) => ({ data: await listDecisions(deps, caller, query) }),
  )

  scope.post(
    '/admin/decisions/:id/undo',
    {
      config: {
        audits: 'publication.undo, claim.undo',
        needs: ['record.open', 'decision.undo'],
        limit: 'moderate',
        refusals: ['forbidden', 'conflict', 'claim_conflict', 'undo_expired', 'mail_sent'],
      },
      schema: {
        operationId: 'undoDecision',
        summary:
          'Undo a decision within 15 minutes, as its author or an administrator; records that have changed since stay',
        params: ById,
        response: { 200: UndoAnswer },
      },
    },
    async ({ params, caller }) => undoDecision(deps, caller, params.id),
  )
}

/** Kinds of records whose decisions can be undone, from all modules. */
const undoableKinds = (modules: Deps['modules']): ReadonlyMap<string, Undoable> =>
  new Map(modules.flatMap(({ office }) => Object.entries(office?.undoes ?? {})))

/** Lists the caller's newest decisions, or everybody's, on the kinds that the caller may open. */
async function listDecisions(
  { reads, modules }: Pick<Deps, 'reads' | 'modules'>,
  { user }: SignedIn,
  { all = false }: { all?: boolean },
): Promise<Decision[]> {
  const kinds = new Map([...undoableKinds(modules)].filter(([kind]) => opens(user.roles, areaOf(kind))))
  if (all && !allows(decisionRules.listAll, relationsOf(user, {}))) throw adminRequired()
  if (kinds.size === 0) return []
  const rows = await queries.listDecisions(reads, kinds, all ? null : user.id)
  return rows.map(({ is_open, ...row }) => ({
    ...row,
    can: is_open ? allowedOf({ undo: decisionRules.undo }, relationsTo(row, user)) : [],
  }))
}

/**
 * Undoes a decision: restores what it changed in each record, unless the record has changed since.
 * Repeated, it answers the same and writes nothing.
 */
function undoDecision(deps: Deps, caller: SignedIn, id: string): Promise<UndoAnswer> {
  return deps.db.transaction().execute(async (tx) => {
    const decision = await queries.getDecisionForUpdate(tx, id)
    requireKind(caller, decision.kind as RecordKindName)
    if (!allows(decisionRules.undo, relationsTo(decision, caller.user))) throw forbidden()
    // A second undo answers what the first one did, however late, and also if more could be restored by now.
    if (decision.is_undone) return answerOf(await queries.listItems(tx, id))
    if (!decision.is_open) throw undoExpired()
    const kind = undoableKinds(deps.modules).get(decision.kind)
    if (kind === undefined) throw new Error(`no module undoes decisions on ${decision.kind}`)
    const ids = (await queries.listItems(tx, id)).map(({ record_id }) => record_id)
    await kind.lock(tx, ids)
    const items = await queries.listItems(tx, id)
    const left = items.filter(({ isSuperseded }) => !isSuperseded)
    const versions = await kind.restore(tx, deps, caller, decision, left)
    if (versions.size > 0) await queries.markUndone(tx, id, caller.user.id, versions)
    return answerOf(items.map((item) => ({ ...item, isUndone: versions.has(item.record_id) })))
  })
}

function answerOf(items: Pick<queries.ItemRow, 'record_id' | 'isUndone'>[]): UndoAnswer {
  const data = items.map(({ record_id, isUndone }) => ({
    id: record_id,
    result: isUndone ? ('undone' as const) : ('changed_since' as const),
  }))
  const undone = items.filter(({ isUndone }) => isUndone).length
  return { data, meta: { undone, changed_since: items.length - undone } }
}

const relationsTo = ({ decided_by }: { decided_by: string }, user: SignedIn['user']) =>
  relationsOf(user, { authorId: decided_by })

const areaOf = (kind: string) => recordKinds[kind as RecordKindName].area
