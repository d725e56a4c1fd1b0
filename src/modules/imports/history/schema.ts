import Type, { type Static } from 'typebox'
import { several, sortQuery } from '../../../platform/http/lists.ts'
import { adminPerPage, pagingQuery } from '../../../platform/http/paging.ts'
import { AnsweredTimestamp, DateOnly, Id, nullable, oneOf } from '../../../platform/http/schemas.ts'
import { Run, runStatuses } from '../schema.ts'

export const RunsQuery = Type.Object({
  ...pagingQuery(adminPerPage),
  sort: sortQuery(['started_at'], 'started_at_desc'),
  status: several(oneOf(runStatuses), 'In one of these states, separated by commas'),
  dry_run: several(Type.Boolean(), 'Dry runs, or real ones'),
})
export type RunsQuery = Static<typeof RunsQuery>

/** The day is looked at once the source is known: what is wrong with it is a value, not an unknown record. */
export const ByDay = Type.Object({
  id: Id('Identifier of the import source'),
  date: Type.String({ description: 'A day in Paris, as in 2026-11-20', examples: ['2026-11-20'] }),
})

export const LogLine = Type.Object(
  {
    at: Type.Unsafe<string>(AnsweredTimestamp()),
    level: oneOf(['info', 'warning', 'error'] as const),
    message: Type.String({ examples: ['created'] }),
    external_id: nullable(
      Type.String({ description: 'The item that it is about', examples: ['urn:uuid:42'] }),
    ),
  },
  { title: 'ImportLogLine' },
)
export type LogLine = Static<typeof LogLine>

const LoggedRun = Type.Object(
  {
    ...Run.properties,
    lines: Type.Array(LogLine, { description: 'The first 1 000' }),
    lines_total: Type.Integer({ description: 'All of its lines, also those not shown', examples: [1] }),
  },
  { title: 'ImportLoggedRun' },
)
export type LoggedRun = Static<typeof LoggedRun>

export const DayLog = Type.Object(
  { date: DateOnly(), runs: Type.Array(LoggedRun, { description: 'Newest first' }) },
  { title: 'ImportDayLog' },
)
