import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../subscriptions/schema.ts'
import { eventsList, getProviderId, withCan } from './queries.ts'
import { replayFailedEvent } from './rules.ts'
import { ByEventId, EventsQuery, RecordedEvent } from './schema.ts'

export function eventsAdminRoutes(scope: SignedInScope, { db, lists, jobs }: Deps): void {
  scope.get(
    '/admin/subscriptions/:id/events',
    {
      schema: {
        operationId: 'listSubscriptionEvents',
        summary: 'Payment events that name a subscription, newest first',
        description:
          'From the delivery until retention clears what they carried (`RETENTION_WEBHOOKS`, 13 months unless set).',
        params: ById,
        querystring: EventsQuery,
        response: { 200: ListPage(RecordedEvent) },
      },
    },
    async ({ params, query }) => {
      const named = await getProviderId(lists, params.id)
      return listPage(lists, eventsList, { ...query, named }, (rows) => rows.map(withCan))
    },
  )

  scope.get(
    '/admin/payment-events',
    {
      schema: {
        operationId: 'listPaymentEvents',
        summary: 'Payment events of every kind, newest first; with `status=failed` those that need attention',
        querystring: EventsQuery,
        response: { 200: ListPage(RecordedEvent) },
      },
    },
    async ({ query }) => listPage(lists, eventsList, query, (rows) => rows.map(withCan)),
  )

  scope.post(
    '/admin/payment-events/:event_id/replay',
    {
      config: { audits: 'payment_event.replay', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'replayPaymentEvent',
        summary: 'Apply a failed payment event again; its effect follows, at most once',
        description:
          'The event is `received` until a job has applied it. Replaying one that is queued already changes nothing. 409 for one that was applied or ignored, and once what it carried is no longer stored.',
        params: ByEventId,
        response: { 200: record(RecordedEvent) },
      },
    },
    async ({ params, caller }) => ({ data: await replayFailedEvent({ db, jobs }, caller, params.event_id) }),
  )
}
