import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { mergeActeur } from './rules.ts'
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
