import Type, { type Static, type TSchema } from 'typebox'
import { DateOnly, titled } from '../../../platform/http/validation/schemas.ts'
import type { DailyCounts } from '../../../platform/module.ts'

/** Limit on the days of a series. */
export const maxDays = 365
const defaultDays = 30

export const SeriesQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxDays,
      description: `How many days, today included. Default: ${defaultDays}`,
      examples: [7],
    }),
  ),
})
export type SeriesQuery = Static<typeof SeriesQuery>
export const daysOf = ({ days = defaultDays }: SeriesQuery): number => days

/** The counts of one day, by module. */
export function dayOf(counts: DailyCounts) {
  const fields: Record<string, TSchema> = { day: DateOnly('A day in Europe/Paris') }
  for (const [key, { description }] of Object.entries(counts))
    fields[key] = Type.Integer({ description, examples: [12] })
  return titled('DashboardDay', fields)
}
