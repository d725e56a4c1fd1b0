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

export const eventStates = ['failed', 'received', 'processed', 'ignored'] as const
export type EventsSearch = { status?: (typeof eventStates)[number] | 'all'; page?: number }

const oneOf = <Value>(values: readonly Value[], value: unknown) => values.find((known) => known === value)
const pageOf = (page: unknown) => (Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {})

export function subscriptionsSearch({
  status,
  plan,
  sort,
  page,
}: Record<string, unknown>): SubscriptionsSearch {
  const [its, order] = [oneOf(statuses, status), oneOf(sorts.slice(1), sort)]
  return {
    ...(its && { status: its }),
    // The router parses an all-digit text as a number.
    ...((typeof plan === 'string' || typeof plan === 'number') && plan !== '' && { plan: String(plan) }),
    ...(order && { sort: order }),
    ...pageOf(page),
  }
}

export function eventsSearch({ status, page }: Record<string, unknown>): EventsSearch {
  const its = oneOf([...eventStates.slice(1), 'all' as const], status)
  return { ...(its && { status: its }), ...pageOf(page) }
}
