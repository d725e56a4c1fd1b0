import { sql } from 'kysely'
import { leftOf } from '../../../platform/access/rules.ts'
import { columnList, columnsOf } from '../../../platform/database/columns.ts'
import { among, equals } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { SortKey } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { List } from '../../../platform/http/listing/list.ts'
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

type ListedSubscription = Omit<Subscription, 'plan' | 'label' | 'can'> & { price: string | null }

/** False for a subscription known only from a checkout. */
const isKnown = sql<boolean>`s.status is not null`

export async function getSubscription(db: Database, id: string, plans: Plans): Promise<Subscription> {
  const { rows } = await sql<ListedSubscription>`
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

const answered = sql<ListedSubscription>`${columnList(stored, 's')}, s.price,
  (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = s.acteur_id) as acteur`

export const withPlan = <Row extends { price: string | null }>(plans: Plans, { price, ...row }: Row) => ({
  ...row,
  ...planOf(plans, price),
  can: leftOf(subscriptionActions, row),
})

const byId: SortKey = { by: sql`s.id`, type: 'id' }

/** Subscriptions without an end sort last in both directions. */
export const subscriptionsList = (plans: Plans): List<SubscriptionsQuery, ListedSubscription> => ({
  name: 'subscriptions',
  from: sql`subscriptions s`,
  as: 's',
  picksIds: true,
  where: isKnown,
  filters: {
    ids: among('s.id'),
    status: among('s.status'),
    plan: (plan) => sql`s.price = any(${pricesOf(plans, plan)}::text[])`,
    acteur_id: equals('s.acteur_id'),
  },
  sorts: {
    created_at: [{ by: sql`s.created_at`, type: 'time' }, byId],
    current_period_end: [{ by: sql`s.current_period_end`, type: 'time', isNullable: true }, byId],
    status: [{ by: sql`s.status`, type: 'text' }, byId],
  },
  defaults: { sort: 'created_at_desc' },
  columns: answered,
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
