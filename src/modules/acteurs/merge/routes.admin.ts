import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { mergeActeur } from './rules.ts'
import { MergeBody, Merging } from './schema.ts'

export function mergeRoutes(scope: SignedInScope, deps: Pick<Deps, 'db' | 'jobs' | 'clock'>): void {
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
          'At once its id and slug answer as the target on every route, its members are members of the target, and what is written for it is written for the target. A job moves the rest: publications that it has not reached yet are public, but not in the list of the target. `GET /admin/acteurs/{id}` of the target says in `merged` how far it is. The target keeps its own name, contacts and rights; of pending claims on both, those of the acteur that was claimed later are rejected; who is a member of both keeps the stronger role. A target that was merged itself stands for its own target.',
        params: ById,
        body: MergeBody,
        response: { 202: record(Merging) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(202).send({ data: await mergeActeur(deps, caller, params.id, body.into) }),
  )
}
