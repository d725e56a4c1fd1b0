import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { Tone } from '../../ui/badge.tsx'
import type { EventsSearch, Status, SubscriptionsSearch } from './search.ts'

export type Subscription = components['schemas']['Subscription']
export type ReadSubscription = components['schemas']['SubscriptionRead']
export type PaymentEvent = components['schemas']['RecordedPaymentEvent']

export const perPage = 25

export const tones: Record<Status, Tone> = {
  active: 'good',
  trialing: 'accent',
  past_due: 'warn',
  unpaid: 'bad',
  paused: 'plain',
  incomplete: 'warn',
  incomplete_expired: 'plain',
  canceled: 'plain',
}

export const eventTones: Record<PaymentEvent['status'], Tone> = {
  failed: 'bad',
  received: 'accent',
  processed: 'good',
  ignored: 'plain',
}

/** Returns the query of the list in the API. */
export const queryOf = ({ status, plan, sort, page = 1 }: SubscriptionsSearch) => ({
  page,
  per_page: perPage,
  ...(status && { status: [status] }),
  ...(plan && { plan: [plan] }),
  ...(sort && { sort }),
})

export const subscriptionsQuery = (search: SubscriptionsSearch) => {
  const query = queryOf(search)
  return queryOptions({
    queryKey: ['subscriptions', 'list', query],
    queryFn: ({ signal }) =>
      got(api.GET('/api/v1/admin/subscriptions', { signal, params: { query: query as never } })),
    placeholderData: keepPreviousData,
  })
}

/** Plans to filter by: those of the settings, and other prices with subscribers. */
export const plansQuery = queryOptions({
  queryKey: ['dashboard', 'plans'],
  queryFn: async ({ signal }) =>
    (await got(api.GET('/api/v1/admin/dashboard', { signal }))).subscription_plans ?? [],
})

export const subscriptionQuery = (id: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'one', id],
    queryFn: async ({ signal }): Promise<ReadSubscription> =>
      (await got(api.GET('/api/v1/admin/subscriptions/{id}', { signal, params: { path: { id } } }))).data,
  })

/** The events of a subscription, newest first, by cursor. */
export const timelineQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['payment_events', 'of', id],
    initialPageParam: '',
    queryFn: ({ signal, pageParam: after }) => {
      const params = { path: { id }, query: { per_page: perPage, ...(after !== '' && { after }) } }
      return got(api.GET('/api/v1/admin/subscriptions/{id}/events', { signal, params }))
    },
    getNextPageParam: ({ meta }) => meta.next,
  })

export const eventsQuery = ({
  event,
  status = event === undefined ? 'failed' : 'all',
  page = 1,
}: EventsSearch) =>
  queryOptions({
    queryKey: ['payment_events', 'list', { event, status, page }],
    queryFn: ({ signal }) => {
      const query = {
        page,
        per_page: perPage,
        ...(event && { ids: [event] }),
        ...(status === 'failed' && { settled: [false] }),
        ...(status === 'settled' && { settled: [true] }),
        ...(status !== 'all' && status !== 'settled' && { status: [status] }),
      }
      return got(api.GET('/api/v1/admin/payment-events', { signal, params: { query: query as never } }))
    },
    placeholderData: keepPreviousData,
  })

export const replay = async (event_id: string) =>
  (await got(api.POST('/api/v1/admin/payment-events/{event_id}/replay', { params: { path: { event_id } } })))
    .data

export const settleEvent = (event_id: string, reason: string) =>
  got(
    api.POST('/api/v1/admin/payment-events/{event_id}/settle', {
      params: { path: { event_id } },
      body: { reason },
    }),
  )

export async function assign(subscription: ReadSubscription, acteur_id: string | null) {
  const params = atVersion(subscription)
  return (await got(api.PATCH('/api/v1/admin/subscriptions/{id}', { params, body: { acteur_id } }))).data
}
