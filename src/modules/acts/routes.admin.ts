import { sql } from 'kysely'
import Type from 'typebox'
import { jsonTime } from '../../platform/database/columns.ts'
import { among, equals } from '../../platform/database/conditions.ts'
import { byId } from '../../platform/database/sort-order.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { list } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { listOverdueActs, OverdueAct } from './due.ts'
import { managedColumns } from './queries.ts'
import { AdminAct, type AdminActsQuery, AdminActsQuery as Query } from './schema.ts'

const maxOverdue = 100

/** Acts of all mairies for administrators, who see what stands still. Only mairies change them. */
export function adminActRoutes(scope: SignedInScope, { reads, lists, clock }: Deps): void {
  scope.get(
    '/admin/acts',
    {
      schema: {
        operationId: 'listAdminActs',
        summary: 'Acts of all mairies in every state, the newest first',
        querystring: Query,
        response: { 200: ListPage(AdminAct) },
      },
    },
    async ({ query }) => listPage(lists, adminList, query, (rows) => rows),
  )

  scope.get(
    '/admin/acts/due',
    {
      schema: {
        operationId: 'listOverdueActs',
        summary: `Lists of deliberations and minutes that mairies should have published, at most ${maxOverdue}, the longest overdue first`,
        querystring: Type.Object({}),
        response: { 200: list(OverdueAct) },
      },
    },
    async () => ({ data: await listOverdueActs(reads, todayInParis(clock()), maxOverdue) }),
  )
}

const isWaiting = sql<boolean>`ac.id in (
  select s.act_id from act_timestamps t join act_seals s on s.number = t.number where t.reply is null)`

const adminList: List<AdminActsQuery, AdminAct> = {
  name: 'acts-of-all',
  from: sql`acts ac`,
  as: 'ac',
  filters: {
    acteur_id: equals('ac.acteur_id'),
    state: among('ac.state'),
    stamped: () => isWaiting,
  },
  sorts: { id: [byId] },
  defaults: { sort: 'id_desc' },
  columns: sql<AdminAct>`${managedColumns},
    (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = ac.acteur_id) as acteur,
    (select json_build_object('attempts', t.attempts, 'problem', t.problem, 'next_at', ${jsonTime(sql`t.next_at`)})
      from act_seals s join act_timestamps t on t.number = s.number
      where s.act_id = ac.id and t.reply is null) as stamping`,
}
