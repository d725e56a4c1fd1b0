import { type RawBuilder, sql } from 'kysely'
import { leftOf } from '../../../platform/access/rules.ts'
import { columnList, columnsOf } from '../../../platform/database/columns.ts'
import { allOf, among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { type SortKey, sortOrders } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { assignedActeur } from '../effects/queries.ts'
import { type Plans, planOf, pricesOf } from '../plans.ts'
import {
  type CurrentSubscription,
  type Subscription,
  type SubscriptionsQuery,
  stored,
  subscriptionActions,
} from './schema.ts'

export type SubscriptionRow = Pick<Subscription, keyof typeof stored> & { acteur_set: string | null }
export type WrittenActeur = Pick<SubscriptionRow, 'acteur_set'>

type Found = Omit<Subscription, 'plan' | 'label' | 'can'> & { price: string | null }

/** False for a subscription known only from a checkout. */
const isKnown = sql<boolean>`s.status is not null`

/** Joins acteurs for the rows of the page only. */
export function listSubscriptions(
  db: Database,
  query: SubscriptionsQuery,
  plans: Plans,
  paging: Paging,
): Promise<Slice<Subscription>> {
  const order = orders[query.sort ?? 'created_at_desc']
  return readSlice<Subscription>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<Found & Placed>`
      select ${answered}, ${order.values} from subscriptions s where s.id in (
        select s.id from subscriptions s where ${allOf(matching(query, plans), after)}
        order by ${order.by} limit ${limit} offset ${offset})
      order by ${order.by}`.execute(db)
    return rows.map((row) => withPlan(plans, row))
  })
}

export async function countSubscriptions(
  db: Database,
  query: SubscriptionsQuery,
  plans: Plans,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from subscriptions s where ${matching(query, plans)}`.execute(db)
  return rows[0]?.total ?? 0
}

export async function getSubscription(db: Database, id: string, plans: Plans): Promise<Subscription> {
  const { rows } = await sql<Found>`
    select ${answered} from subscriptions s where s.id = ${id} and ${isKnown}`.execute(db)
  return withPlan(plans, rows[0] ?? raise(notFound()))
}

/** The acteur that an administrator has set; null if events decide. */
export async function findActeurSet(db: Database, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('subscriptions')
    .select('acteur_set')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.acteur_set ?? null
}

const answered = sql`${columnList(stored, 's')}, s.price,
  (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = s.acteur_id) as acteur`

const withPlan = <Row extends { price: string | null }>(plans: Plans, { price, ...row }: Row) => ({
  ...row,
  ...planOf(plans, price),
  can: leftOf(subscriptionActions, row),
})

function matching({ ids, status, plan, acteur_id }: SubscriptionsQuery, plans: Plans): RawBuilder<boolean> {
  return allOf(
    isKnown,
    among('s.id', ids),
    among('s.status', status),
    plan !== undefined && sql`s.price = any(${pricesOf(plans, plan)}::text[])`,
    acteur_id !== undefined && sql`s.acteur_id = ${acteur_id}`,
  )
}

/** Orders in the form of the indexes. Subscriptions without an end sort last in both directions. */
const byId: SortKey = { by: sql`s.id`, type: 'id' }
const orders = sortOrders('subscriptions', {
  created_at: [byId],
  current_period_end: [{ by: sql`s.current_period_end`, type: 'time', isNullable: true }, byId],
  status: [{ by: sql`s.status`, type: 'text' }, byId],
})

export async function getSubscriptionForUpdate(db: Database, id: string): Promise<SubscriptionRow> {
  const row = await db
    .selectFrom('subscriptions')
    .select([...columnsOf(stored), 'acteur_set'])
    .$castTo<SubscriptionRow>()
    .where('id', '=', id)
    .where('status', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? raise(notFound())
}

/** Sets or clears the acteur. Once cleared, the acteur from the events applies again. */
export async function setActeur(
  tx: Database,
  id: string,
  { acteur_set }: WrittenActeur,
): Promise<SubscriptionRow> {
  const { rows } = await sql<SubscriptionRow>`
    with s as (
      select id, ${acteur_set}::uuid as acteur_set, acteur_said, acteur_of_checkout, provider_customer_id
      from subscriptions where id = ${id})
    update subscriptions set acteur_set = s.acteur_set, acteur_id = ${assignedActeur}
    from s where subscriptions.id = s.id
    returning ${columnList(stored, 'subscriptions')}, subscriptions.acteur_set`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function isActeur(db: Database, id: string): Promise<boolean> {
  const row = await db.selectFrom('acteurs').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Returns the current subscription of each acteur: by best status, then newest. Ignores ended ones. */
export async function mapCurrentSubscriptions(
  db: Database,
  acteurIds: string[],
  plans: Plans,
): Promise<Map<string, CurrentSubscription>> {
  const { rows } = await sql<CurrentSubscription & { acteur_id: string; price: string | null }>`
    select distinct on (acteur_id) acteur_id, price, status, current_period_end from subscriptions
    where acteur_id = any(${acteurIds}::uuid[]) and status not in ('canceled', 'incomplete_expired')
    order by acteur_id,
      array_position(array['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'], status), id desc`.execute(
    db,
  )
  return new Map(rows.map(({ acteur_id, ...row }) => [acteur_id, withPlan(plans, row)]))
}
