import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

export const statuses = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'incomplete_expired',
  'canceled',
] as const
export type Status = (typeof statuses)[number]

export const sorts = ['created_at_desc', 'created_at_asc', 'current_period_end_asc', 'status_asc'] as const
export type SubscriptionsSearch = {
  status?: Status
  plan?: string
  sort?: (typeof sorts)[number]
  page?: number
}

export const eventStates = ['failed', 'settled', 'received', 'processed', 'ignored'] as const
/** `event`: only this one, in whatever state it is. */
export type EventsSearch = { status?: (typeof eventStates)[number] | 'all'; event?: string; page?: number }

export const subscriptionsSearch = ({ status, plan, sort, page }: SearchParams): SubscriptionsSearch =>
  defined({
    status: oneOf(statuses, status),
    plan: textOf(plan),
    sort: oneOf(sorts.slice(1), sort),
    page: pageOf(page),
  })

export const eventsSearch = ({ status, event, page }: SearchParams): EventsSearch =>
  defined({
    status: oneOf([...eventStates.slice(1), 'all' as const], status),
    event: textOf(event),
    page: pageOf(page),
  })
