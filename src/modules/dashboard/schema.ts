import Type from 'typebox'
import { nullable, ResponseTimestamp, titled } from '../../platform/http/validation/schemas.ts'
import type { Figures, Waiting } from '../../platform/module.ts'

/** Schema of the dashboard: flat, without `data`. Figures that fail or time out are omitted. */
export function dashboardOf(figures: Figures) {
  const fields = Object.entries(figures).map(([name, { schema }]) => [name, Type.Optional(schema)] as const)
  return titled('Dashboard', Object.fromEntries(fields))
}

const Count = titled('WaitingCount', {
  count: Type.Integer({ examples: [12] }),
  oldest_at: nullable(ResponseTimestamp('Since when the oldest waits')),
})

/** Schema with a field for each kind of work; areas that the caller's roles do not open are omitted. */
export const countsOf = (waiting: readonly Waiting[]) =>
  titled('WaitingCounts', Object.fromEntries(waiting.map(({ key }) => [key, Type.Optional(Count)])))
