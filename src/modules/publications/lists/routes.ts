import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, scopeViolation } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/listing/paging.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { publicationRules, rightOverPublication } from '../permissions.ts'
import { getManagedPublication } from '../queries.ts'
import { ById, MemberPublication } from '../schema.ts'
import { isInScope, restrictionOf } from '../visibility.ts'
import { listOfActeurs } from './queries.ts'
import { MyQuery } from './schema.ts'

/** Routes for the publications of the caller's acteurs, in every state but deleted. */
export function myRoutes(scope: SignedInScope, { reads, lists }: Deps): void {
  scope.get(
    '/me/publications',
    {
      config: { needs: 'publication.list_own' },
      schema: {
        operationId: 'listMyPublications',
        summary: "What the caller's acteurs have published, in every state",
        querystring: MyQuery,
        response: { 200: Page(MemberPublication) },
      },
    },
    async ({ query, caller }) => {
      const paging = pagingOf(query, adminPerPage)
      const acteurIds = caller.user.memberships.map(({ acteurId }) => acteurId)
      const list = { acteurIds, filters: query, communeIds: restrictionOf(caller) }
      const found = await listOfActeurs(lists, list, paging)
      return page(found.rows, found, paging)
    },
  )

  scope.get(
    '/me/publications/:id',
    {
      config: { needs: 'publication.read' },
      schema: {
        operationId: 'getMyPublication',
        summary: "One publication of the caller's acteurs, in whatever state",
        params: ById,
        response: { 200: record(MemberPublication) },
      },
    },
    async ({ params, caller }) => {
      const publication = await getManagedPublication(reads, params)
      await requireMine(reads, caller, publication)
      return { data: publication }
    },
  )
}

/** Requires membership of the acteur; the administrator role does not suffice. */
async function requireMine(db: Database, caller: SignedIn, publication: MemberPublication): Promise<void> {
  const right = await rightOverPublication(db, caller.user, publication, [publicationRules.read])
  if (publication.deleted_at !== null || right === 'foreign') throw notFound()
  if (!(await isInScope(db, caller, publication))) throw scopeViolation()
}
