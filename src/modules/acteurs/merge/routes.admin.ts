import type { SignedIn } from '../../../platform/access/caller.ts'
import { append, change, type RecordKind } from '../../../platform/change.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { acteur } from '../record.ts'
import { ById, isLive } from '../schema.ts'
import { mergeJob } from './jobs.ts'
import { lockBoth, type MergeRow, moveLogo, moveMairie, moveMembers, updateMerged } from './queries.ts'
import { MergeBody, Merging } from './schema.ts'

export function mergeRoutes(scope: SignedInScope, deps: Deps): void {
  scope.post(
    '/admin/acteurs/:id/merge',
    {
      config: {
        audits: 'acteur.merge',
        refusals: ['conflict', 'precondition_failed'],
        confirms: true,
        namesMerged: true,
      },
      schema: {
        operationId: 'mergeActeur',
        summary: 'Merge an acteur into another of the same type; this cannot be undone',
        description:
          'From the response on, the id and slug of the merged acteur lead to the target, its members are members of the target, and new content is created for the target. A job moves the rest: publications that it has not moved yet are public, but not in the list of the target. `GET /admin/acteurs/{id}` of the target shows the progress in `merged`. The target keeps its own name, contacts and rights. Of pending claims on both, those of the acteur that was claimed later are rejected. A user who is a member of both keeps the stronger role. If the target was merged itself, its own target is used.',
        params: ById,
        body: MergeBody,
        response: { 202: record(Merging) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(202).send({ data: await mergeActeur(deps, caller, params.id, body.into) }),
  )
}

/**
 * Begins to merge an acteur into another. From the commit on, its id and slug lead to the target, its members
 * belong to the target, which is the mairie in its place, and writes for it go to the target; a job moves the
 * rest. Idempotent for the same target.
 */
function mergeActeur(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  caller: SignedIn,
  id: string,
  into: string,
): Promise<Merging> {
  let target: MergeRow | undefined
  const kind: RecordKind<MergeRow> = {
    ...acteur,
    async lock(tx, id) {
      const locked = await lockBoth(tx, id, into)
      target = locked.target
      return locked.row
    },
    write: updateMerged,
    auditedValues: ({ merged_at: _, ...row }) => row,
  }
  return change(db, caller, kind, { id, action: 'acteur.merge' }, async (tx, before, save) => {
    if (target === undefined) throw invalid('into', messages.unknown)
    if (before.merged_into === target.id) return mergingOf(await save({}), target)
    if (into.toLowerCase() === before.id) throw invalid('into', messages.itself)
    if (target.id === before.id) throw conflict()
    if (before.merged_into !== null || !isLive(before) || !isLive(target)) throw conflict()
    if (target.type !== before.type) throw invalid('into', messages.otherType)
    const members = await moveMembers(tx, before.id, target.id)
    await moveMairie(tx, { from: before.id, into: target.id })
    await moveLogo(tx, { from: before.id, into: target.id })
    const logo = target.logo === null && before.logo !== null ? { logo: before.logo } : {}
    const received = { kind: acteur, entityId: target.id, after: { merged: before.id, ...logo } }
    await append(tx, caller, { action: 'acteur.merge', ...received })
    const author = {
      userId: caller.user.id,
      source: caller.source?.code ?? null,
      requestId: caller.requestId,
    }
    await jobs.enqueue(tx, mergeJob, { acteurId: before.id, ...author }, { singletonKey: before.id })
    const moved = members.length > 0 ? { members_moved: members } : {}
    return mergingOf(await save({ merged_into: target.id, merged_at: clock() }, { after: moved }), target)
  })
}

const mergingOf = ({ id, deleted_at }: MergeRow, target: MergeRow): Merging => ({
  id,
  into: target.id,
  state: deleted_at === null ? 'merging' : 'merged',
})

const messages = {
  unknown: { en: 'is not an existing acteur', fr: 'n’est pas un acteur existant' },
  itself: { en: 'must be another acteur', fr: 'doit être un autre acteur' },
  otherType: { en: 'must be an acteur of the same type', fr: 'doit être un acteur du même type' },
}
