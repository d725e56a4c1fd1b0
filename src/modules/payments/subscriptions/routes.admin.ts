import { settingsOf } from '../../../platform/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { paymentsSettings } from '../settings.ts'
import { countSubscriptions, listSubscriptions } from './queries.ts'
import { assignSubscription } from './rules.ts'
import { ById, Subscription, SubscriptionsQuery, SubscriptionUpdate } from './schema.ts'

export function subscriptionsAdminRoutes(
  scope: SignedInScope,
  { db, lists, config }: Pick<Deps, 'db' | 'lists' | 'config'>,
): void {
  const { plans } = settingsOf(config, paymentsSettings)

  scope.get(
    '/admin/subscriptions',
    {
      schema: {
        operationId: 'listSubscriptions',
        summary: 'Subscriptions, newest first, or as asked',
        querystring: SubscriptionsQuery,
        response: { 200: Page(Subscription) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([
        listSubscriptions(lists, query, plans, paging),
        countSubscriptions(lists, query, plans),
      ])
      return page(rows, total, paging)
    },
  )

  scope.patch(
    '/admin/subscriptions/:id',
    {
      config: { audits: 'subscription.assign', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'assignSubscription',
        summary: 'Say whose a subscription is, above all that events say',
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
