import { settingsOf } from '../../../platform/config/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { paymentsSettings } from '../settings.ts'
import { findActeurSet, getSubscription, subscriptionsList, withPlan } from './queries.ts'
import { assignSubscription } from './rules.ts'
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
