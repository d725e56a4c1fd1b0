import { sql } from 'kysely'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { namedRows } from '../../platform/database/search.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'
import type { Deps, Module, Retention, Waiting, WatchedRows } from '../../platform/module.ts'
import { maxFound, type SearchSource } from '../../platform/search-source.ts'
import { applyEventHandler } from './effects/jobs.ts'
import { lockEffects } from './effects/queries.ts'
import { paymentsErrors } from './errors.ts'
import { eventsAdminRoutes, paymentEvent } from './events.ts'
import { watchEventsHandler, watchEventsSchedule } from './failures/jobs.ts'
import { subscriptionLogs, subscriptionPlans } from './figures.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { paymentEvents, paymentsMetrics } from './metrics.ts'
import { subscription } from './record.ts'
import { paymentsSettings } from './settings.ts'
import { subscriptionsAdminRoutes } from './subscriptions/routes.admin.ts'

/** Moves customers and subscriptions of a merged acteur, under the lock that serialises effects of events. */
const moveSubscriptions: MovesOnMerge = async (tx, _deps, { from, into }, limit) => {
  if (!(await hasSome(tx, from))) return 0
  await lockEffects(tx)
  const customers = await sql`
    update payment_customers set acteur_id = ${into} where id = any(array(
      select id from payment_customers where acteur_id = ${from} limit ${limit}))
    returning id`.execute(tx)
  const moved = (column: string) =>
    sql`${sql.ref(column)} = case when ${sql.ref(column)} = ${from} then ${into}::uuid else ${sql.ref(column)} end`
  const subscriptions = await sql`
    update subscriptions set ${sql.join(columns.map(moved))} where id = any(array(
      select id from subscriptions where ${refersTo(from)} limit ${limit}))
    returning id`.execute(tx)
  return customers.rows.length + subscriptions.rows.length
}

const columns = ['acteur_id', 'acteur_set', 'acteur_said', 'acteur_of_checkout']

const refersTo = (acteurId: string) =>
  sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${acteurId}`),
    sql` or `,
  )

async function hasSome(tx: Database, acteurId: string): Promise<boolean> {
  const { rows } = await sql`
    (select from payment_customers where acteur_id = ${acteurId} limit 1)
    union all (select from subscriptions where ${refersTo(acteurId)} limit 1)`.execute(tx)
  return rows.length > 0
}

/** Excludes subscriptions known only from a checkout, which have no status yet. */
const subscriptionsSearchSource: SearchSource = {
  kind: 'subscription',
  shown: sql`
    select coalesce((select a.nom from acteurs a where a.id = s.acteur_id), s.provider_subscription_id) as label,
      s.status as detail
    from subscriptions s where s.id = found.id and s.status is not null`,
  ways: (q) => [
    { ids: sql`select id from subscriptions where provider_subscription_id = ${q}`, exact: true },
    {
      ids: sql`
        select id from subscriptions where provider_customer_id = ${q} order by id desc limit ${sql.lit(maxFound)}`,
      exact: true,
    },
    {
      ids: sql`
        select id from subscriptions where acteur_id = any(array(${namedRows({ ...acteurs, q, limit: 20 })}))
        order by id desc limit ${sql.lit(maxFound)}`,
    },
  ],
}

const acteurs = { table: 'acteurs', live: sql<boolean>`deleted_at is null and merged_into is null` }

/** Finds an event of the provider, whether or not its subscription is known. */
const eventsSearchSource: SearchSource = {
  kind: 'payment_event',
  shown: sql`select e.id as label, e.type as detail from payment_events e where e.id = found.id`,
  ways: (q) => [{ ids: sql`select id from payment_events where id = ${q}`, exact: true }],
}

const eventsWaiting: Waiting = {
  key: 'payment_events',
  area: 'subscriptions',
  rows: () => sql`
    select count(*) as count, min(received_at) as oldest_at from payment_events
    where status = 'failed' and settled_at is null`,
}

/** Jobs apply events without an audit entry; what an event changes, changes with it. */
const eventsWatched: WatchedRows = {
  topics: ['payment_events', 'subscriptions'],
  state: sql`select max(updated_at) from payment_events`,
}

/** Deletes the payload of old finished events; keeps their arrival and result. */
export const emptyEvents: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    update payment_events set fields = null
    where id = any(array(
      select id from payment_events
      where fields is not null and status <> 'received' and received_at < now() - make_interval(months => ${months}::int)
      order by received_at limit ${limit} for no key update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

function adminRoutes(scope: SignedInScope, deps: Deps): void {
  subscriptionsAdminRoutes(scope, deps)
  eventsAdminRoutes(scope, deps)
}

export const payments = {
  name: 'payments',
  about: 'Events of the payment provider, and the subscriptions that follow from them',
  routes: {
    webhook: inboxRoutes,
    admin: { area: 'subscriptions', routes: adminRoutes },
  },
  errors: paymentsErrors,
  audited: [subscription, paymentEvent],
  jobs: {
    handlers: (deps) => [applyEventHandler(deps), watchEventsHandler(deps)],
    schedules: [watchEventsSchedule],
  },
  settings: {
    own: paymentsSettings,
    limits: { signature: '60/minute' },
    off: [
      {
        setting: 'PAYMENT_SIGNING_SECRETS',
        isOff: (config) => settingsOf(config, paymentsSettings).signingSecrets.length === 0,
        effect: {
          en: 'Events of the payment provider are refused.',
          fr: 'Les événements du prestataire de paiement sont refusés.',
        },
        isAdvised: false,
        docs: 'operations.md#payments',
      },
    ],
  },
  metrics: { counters: [paymentEvents], watch: paymentsMetrics },
  office: {
    figures: { subscription_plans: subscriptionPlans, subscription_logs: subscriptionLogs },
    waiting: [eventsWaiting],
    watched: [eventsWatched],
    searchSources: [subscriptionsSearchSource, eventsSearchSource],
  },
  movesOnMerge: [moveSubscriptions],
  retention: [{ name: 'webhooks', months: 13, sweep: emptyEvents }],
} satisfies Module
