import type { Caller } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import type { Plans } from '../plans.ts'
import { subscription } from '../record.ts'
import { paymentsSettings } from '../settings.ts'
import * as queries from './queries.ts'
import { findActeurSet, getSubscription, subscriptionsList, withPlan } from './queries.ts'
import { ById, Subscription, SubscriptionRead, SubscriptionsQuery, SubscriptionUpdate } from './schema.ts'

export function subscriptionsAdminRoutes(scope: SignedInScope, { db, reads, lists, config }: Deps): void {
  const { plans } = settingsOf(config, paymentsSettings)

  scope.get(
    '/admin/subscriptions',
    {
      schema: {
        operationId: 'listSubscriptions',
        summary: 'List subscriptions, newest first by default',
        querystring: SubscriptionsQuery,
        response: { 200: ListPage(Subscription) },
      },
    },
    async ({ query }) =>
      listPage(lists, subscriptionsList(plans), query, (rows) => rows.map((row) => withPlan(plans, row))),
  )

  scope.get(
    '/admin/subscriptions/:id',
    {
      schema: {
        operationId: 'getSubscription',
        summary: 'Read a subscription',
        params: ById,
        response: { 200: record(SubscriptionRead) },
      },
    },
    async ({ params: { id }, caller }) => {
      const [subscription, acteur_set, present] = await Promise.all([
        getSubscription(reads, id, plans),
        findActeurSet(reads, id),
        listPresent(reads, caller, { kind: 'subscription', id }),
      ])
      return { data: { ...subscription, acteur_set, present } }
    },
  )

  scope.patch(
    '/admin/subscriptions/:id',
    {
      config: { audits: 'subscription.assign', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'assignSubscription',
        summary: 'Assign a subscription to an acteur; overrides payment events',
        params: ById,
        body: SubscriptionUpdate,
        response: { 200: record(Subscription) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await assignSubscription({ db, plans }, caller, params.id, body),
    }),
  )
}

/** Assigns a subscription to an acteur, which overrides all events until it is cleared. */
function assignSubscription(
  { db, plans }: { db: Database; plans: Plans },
  caller: Caller,
  id: string,
  { acteur_id }: SubscriptionUpdate,
): Promise<Subscription> {
  return change(
    db,
    caller,
    subscription,
    { id, action: 'subscription.assign' },
    async (tx, _before, save) => {
      if (acteur_id !== null && !(await queries.isActeur(tx, acteur_id))) throw invalid('acteur_id', unknown)
      await save({ acteur_set: acteur_id })
      return queries.getSubscription(tx, id, plans)
    },
  )
}

const unknown = { en: 'is not a known acteur', fr: 'n’est pas un acteur connu' }
