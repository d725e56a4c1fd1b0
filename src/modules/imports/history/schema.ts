import Type, { type Static } from 'typebox'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import {
  DateOnly,
  Id,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { Run, runStatuses } from '../schema.ts'

export const RunsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['started_at'], 'started_at_desc'),
  ids: idsQuery,
  status: several(oneOf(runStatuses), 'In one of these states, separated by commas'),
  dry_run: several(Type.Boolean(), 'Dry runs, or real ones'),
})
export type RunsQuery = Static<typeof RunsQuery>

/** The date is validated after the source is found: a bad one is a 422, not a 404. */
export const ByDay = Type.Object({
  id: Id('Identifier of the import source'),
  date: Type.String({ description: 'A day in Paris, as in 2026-11-20', examples: ['2026-11-20'] }),
})

export const LogLine = titled('ImportLogLine', {
  at: Type.Unsafe<string>(ResponseTimestamp()),
  level: oneOf(['info', 'warning', 'error'] as const),
  message: Type.String({ examples: ['created'] }),
  external_id: textOrNull('urn:uuid:42', 'The item that it is about'),
})
export type LogLine = Static<typeof LogLine>

const LoggedRun = titled('ImportLoggedRun', {
  ...Run.properties,
  lines: Type.Array(LogLine, { description: 'The first 1 000' }),
  lines_total: Type.Integer({ description: 'All of its lines, also those not shown', examples: [1] }),
})
export type LoggedRun = Static<typeof LoggedRun>

export const DayLog = titled('ImportDayLog', {
  date: DateOnly(),
  runs: Type.Array(LoggedRun, { description: 'Newest first' }),
})

export const ByRun = Type.Object({
  id: Id('Identifier of the import source'),
  runId: Id('Identifier of the run'),
})
