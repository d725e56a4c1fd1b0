import { signingSecret } from '../../../test/support/factories.ts'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { sign } from './inbox/signature.ts'
import { event, failedEvent, knownSubscription } from './payments.test-kit.ts'

export function routeCalls({ admin, reader, club, noted, db }: Stage): RouteCalls {
  return {
    'POST /webhooks/payment': async () => {
      // Deliver one event before the recorded one: the first delivery creates the job queue.
      const { path, body, headers } = await signed()
      await reader.client.post(path, body, { headers })
      return { by: reader, ...(await signed()) }
    },
    'GET /admin/subscriptions': async () => ({
      by: admin,
      path: '/admin/subscriptions?status=active,past_due&plan=commerce',
    }),
    'GET /admin/subscriptions/{id}': async () => ({
      by: admin,
      path: `/admin/subscriptions/${await knownSubscription(db)}`,
    }),
    'GET /admin/subscriptions/{id}/events': async () => ({
      by: admin,
      path: `/admin/subscriptions/${await knownSubscription(db)}/events?status=processed`,
    }),
    'GET /admin/payment-events': async () => {
      await failedEvent(db)
      return { by: admin, path: '/admin/payment-events?status=failed' }
    },
    'POST /admin/payment-events/{event_id}/settle': async () => {
      const id = await failedEvent(db)
      const row = noted('payment_event.settle', null, { reason: 'Vu' })
      return {
        by: admin,
        path: `/admin/payment-events/${id}/settle`,
        body: { reason: 'Vu' },
        rows: [{ entity: 'payment_event', entity_id: id, ...row }],
      }
    },
    'POST /admin/payment-events/{event_id}/replay': async () => {
      const id = await failedEvent(db)
      const row = noted('payment_event.replay', { status: 'failed' }, { status: 'received' })
      return {
        by: admin,
        path: `/admin/payment-events/${id}/replay`,
        rows: [{ entity: 'payment_event', entity_id: id, ...row }],
      }
    },
    'PATCH /admin/subscriptions/{id}': async () => {
      const id = await knownSubscription(db)
      const as = (acteur: string | null) => ({ acteur_id: acteur, acteur_set: acteur })
      const row = noted('subscription.assign', as(null), as(club.id))
      return {
        by: admin,
        path: `/admin/subscriptions/${id}`,
        body: { acteur_id: club.id },
        rows: [{ entity: 'subscription', entity_id: id, ...row }],
      }
    },
  }
}

async function signed() {
  const body = event('customer.subscription.updated')
  const headers = { 'payment-signature': await sign(JSON.stringify(body), signingSecret) }
  return { path: '/webhooks/payment', body, headers }
}
