import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { columnList } from '../../../platform/database/columns.ts'
import { among, equals, flag } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { byId } from '../../../platform/database/sort-order.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { ListPageWith, listPage } from '../../../platform/http/listing/list-page.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import { Id, nullable, ResponseTimestamp, titled } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { CommuneListed, communeFilters } from '../schema.ts'

const CommuneActivityQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['nom', 'last_message_at', 'collectes', 'subscribers'], 'last_message_at_desc'),
  ids: idsQuery,
  departement: communeFilters.departement,
  messages: several(Type.Boolean(), 'Communes that have shown a publication or an alerte, or never any'),
})
type CommuneActivityQuery = Static<typeof CommuneActivityQuery>

const { nom, code_insee, departement } = CommuneListed.properties
const CommuneActivity = titled('CommuneActivity', {
  id: Id('Identifier of the commune'),
  ...{ nom, code_insee, departement },
  last_message_at: nullable(
    ResponseTimestamp('When it showed its newest publication or alerte, whoever wrote it; null: never any'),
  ),
  collectes: Type.Integer({ description: 'Waste collections that were entered', examples: [4] }),
  subscribers: Type.Integer({ description: 'Residents who get messages about it', examples: [120] }),
})
type CommuneActivity = Static<typeof CommuneActivity>

const counted_at = nullable(ResponseTimestamp('When all this was counted; null: not yet'))
const ActivityPage = ListPageWith('CommuneActivityMeta', { counted_at }, CommuneActivity)

export function activityRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/communes/activity',
    {
      schema: {
        operationId: 'listCommuneActivity',
        summary: 'How much communes are used, as it was counted in the last ten minutes',
        querystring: CommuneActivityQuery,
        response: { 200: ActivityPage },
      },
    },
    async ({ query }) => {
      const [{ data, meta }, counted_at] = await Promise.all([
        listPage(lists, communeActivity, query),
        findCountedAt(lists),
      ])
      return { data, meta: { ...meta, counted_at } }
    },
  )
}

/** Rows that `counting.ts` stores, so that each sort has an index. */
export const communeActivity: List<CommuneActivityQuery, CommuneActivity> = {
  name: 'commune-activity',
  from: sql`commune_activity a`,
  as: 'a',
  filters: {
    ids: among('a.id'),
    departement: equals('a.departement'),
    messages: flag('a.has_messages'),
  },
  filtersFirst: ({ ids, departement }) => ids !== undefined || departement !== undefined,
  sorts: {
    nom: [{ by: sql`a.sort_name`, type: 'text' }, byId],
    last_message_at: [{ by: sql`a.last_message_at`, type: 'time', isNullable: true }, byId],
    collectes: [{ by: sql`a.collectes`, type: 'number' }, byId],
    subscribers: [{ by: sql`a.subscribers`, type: 'number' }, byId],
  },
  defaults: { sort: 'last_message_at_desc' },
  columns: sql<CommuneActivity>`${columnList(CommuneActivity.properties, 'a')}`,
}

async function findCountedAt(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`select at from commune_activity_counted`.execute(db)
  return rows[0]?.at ?? null
}
