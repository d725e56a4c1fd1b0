import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { DateOnly, list, named, oneOf, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { ByActeur } from './schema.ts'

/** Councils of so many days are looked at. */
const councilDays = 90

const DueAct = titled('DueAct', {
  kind: oneOf(['liste_des_deliberations', 'proces_verbal']),
  council: DateOnly('The day of the council: the date of its deliberations'),
  due: DateOnly(
    'The list within a week of the council, the minutes within a week of the next one, which approves them',
  ),
})
type DueAct = Static<typeof DueAct>
export const OverdueAct = titled('OverdueAct', {
  ...DueAct.properties,
  acteur: named('ActPublisher', 'Mairie d’Évry-le-Neuf'),
})
type OverdueAct = Static<typeof OverdueAct>

/** What the law asks a mairie to put on line after a council (CGCT L2121-15 and L2121-25) and that is not there. */
export function dueActsRoutes(scope: SignedInScope, { reads, clock }: Deps): void {
  scope.get(
    '/mairie/acteurs/:acteurId/acts/due',
    {
      schema: {
        operationId: 'listDueActs',
        summary: 'Lists of deliberations and minutes that a mairie has yet to publish, the most urgent first',
        params: ByActeur,
        response: { 200: list(DueAct) },
      },
    },
    async ({ params }) => ({ data: await listDueActs(reads, params.acteurId, todayInParis(clock())) }),
  )
}

async function listDueActs(db: Database, acteurId: string, today: string): Promise<DueAct[]> {
  const { rows } = await sql<DueAct>`
    ${dueActs(today, sql`ac.acteur_id = ${acteurId}`)}
    select kind, council::text as council, due::text as due from due_acts order by due_acts.due, kind`.execute(
    db,
  )
  return rows
}

/** Lists what mairies should have published before a day, the longest overdue first. */
export async function listOverdueActs(db: Database, today: string, limit: number): Promise<OverdueAct[]> {
  const { rows } = await sql<OverdueAct>`
    ${dueActs(today, sql`true`)}
    select kind, council::text as council, due::text as due, json_build_object('id', a.id, 'nom', a.nom) as acteur
    from due_acts join acteurs a on a.id = due_acts.acteur_id
    where due_acts.due < ${today}::date and a.deleted_at is null
    order by due_acts.due, a.id, kind limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns the common table expressions of what is due. A council has met where there are deliberations of a day. What bears a
 * date until the next council is about it. The kinds are named again for the index.
 */
const dueActs = (today: string, whose: RawBuilder<unknown>) => sql`
  with councils as (
    select ac.acteur_id, ac.date, lead(ac.date) over (partition by ac.acteur_id order by ac.date) as next from acts ac
    where ${whose} and ac.kind = 'deliberation' and ac.state <> 'occulted'
      and ac.date > ${today}::date - ${councilDays}::int
    group by ac.acteur_id, ac.date),
  asked as (
    select acteur_id, 'liste_des_deliberations' as kind, date, next, date + 7 as due from councils
    union all
    select acteur_id, 'proces_verbal', date, next, next + 7 from councils where next is not null),
  due_acts as (
    select acteur_id, kind, date as council, due from asked
    where not exists (
      select from acts ac where ac.acteur_id = asked.acteur_id and ac.kind = asked.kind and ac.state <> 'draft'
        and ac.kind in ('liste_des_deliberations', 'proces_verbal') and ac.date >= asked.date and (asked.next is null or ac.date < asked.next)))`
