import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Id, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { daysLater } from '../../platform/time/days.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { requireRightOver } from '../espace/access.ts'
import { espaceRules } from '../espace/permissions.ts'
import { ByActeur } from '../espace/schema.ts'
import { ById } from '../publications/schema.ts'
import { restrictionOf } from '../publications/visibility.ts'
import { type Days, readingsOfActeur, readingsOfPublication } from './queries.ts'
import { Readings } from './schema.ts'

const Query = Type.Object({
  publication_id: Type.Optional(Id('Of this publication of the acteur alone')),
})

export function readingsRoutes(scope: SignedInScope, { reads, clock, config }: Deps): void {
  scope.get(
    '/me/acteurs/:acteurId/readings',
    {
      config: { needs: espaceRules.read.name },
      schema: {
        operationId: 'getReadings',
        summary:
          'How often the pages of an acteur of the caller were read on the public site, without robots that say so; nothing is kept of who reads',
        params: ByActeur,
        querystring: Query,
        response: { 200: record(Readings) },
      },
    },
    async ({ params: { acteurId }, query, caller }) => {
      requireRightOver(caller.user, await findActeur(reads, acteurId), espaceRules.read)
      const wanted = {
        ...{ acteurId, publicationId: query.publication_id ?? null },
        communeIds: restrictionOf(caller),
      }
      const found = await readingsOfActeur(reads, wanted, lastDays(clock()))
      return { data: { ...found, behind_edge: config.cdn.isOn } }
    },
  )
}

export function readingsAdminRoutes(scope: SignedInScope, { reads, clock, config }: Deps): void {
  scope.get(
    '/admin/publications/:id/readings',
    {
      schema: {
        operationId: 'getPublicationReadings',
        summary: 'How often a publication was read on the public site, as its members see it',
        params: ById,
        response: { 200: record(Readings) },
      },
    },
    async ({ params }) => {
      const found = await readingsOfPublication(reads, params.id, lastDays(clock()))
      return { data: { ...found, behind_edge: config.cdn.isOn } }
    },
  )
}

function lastDays(now: Date): Days {
  const today = todayInParis(now)
  return { from: daysLater(today, -29), today }
}

async function findActeur(db: Database, id: string) {
  const found = await db
    .selectFrom('acteurs')
    .select(['id', 'valide', 'active', 'deleted_at'])
    .where('id', '=', id)
    .where('merged_into', 'is', null)
    .executeTakeFirst()
  return found ?? raise(notFound())
}
