import { sql } from 'kysely'
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
import { restrictionOf } from '../publications/visibility.ts'
import { listReadings } from './queries.ts'
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
      const today = todayInParis(clock())
      const [since, records] = await Promise.all([
        firstDay(reads),
        listReadings(reads, {
          ...{ acteurId, publicationId: query.publication_id ?? null },
          ...{ communeIds: restrictionOf(caller), from: daysLater(today, -29) },
        }),
      ])
      return { data: { since, behind_edge: config.cdn.isOn, records } }
    },
  )
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

async function firstDay(db: Database): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`select min(day)::text as day from readings`.execute(db)
  return rows[0]?.day ?? null
}
