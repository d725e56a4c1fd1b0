import Type, { type Static } from 'typebox'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import {
  Can,
  Id,
  named,
  nullable,
  oneOf,
  Timestamp,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { RunItem } from '../run/schema.ts'
import { Run as RunFields, runActions, runStatuses } from '../schema.ts'

export const AllRunsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['started_at'], 'started_at_desc'),
  ids: idsQuery,
  source_id: Type.Optional(Id('Runs of this import source')),
  status: several(oneOf(runStatuses), 'In one of these states, separated by commas'),
  dry_run: several(Type.Boolean(), 'Dry runs, or real ones'),
  held: Type.Optional(
    Type.Boolean({
      description: 'true: only runs whose new publications wait for a decision',
      examples: [true],
    }),
  ),
  since: Type.Optional(Timestamp('Started at this time or later')),
  until: Type.Optional(Timestamp('Started before this time')),
})
export type AllRunsQuery = Static<typeof AllRunsQuery>

/** A run with the name of its source. */
export const ListedRun = titled('ImportRunListed', {
  ...RunFields.properties,
  source: named('ImportSourceName', 'Agenda de la médiathèque'),
  can: Can(runActions),
})
export type SelectedRun = Omit<Static<typeof ListedRun>, 'can'>

export const ByRunId = Type.Object({ id: Id('Identifier of the run') })

export const RunItemsQuery = Type.Object({
  ...listQuery,
  action: several(RunItem.properties.action, 'What they became, separated by commas'),
})
export type RunItemsQuery = Static<typeof RunItemsQuery>

export const StoredItem = titled('ImportRunStoredItem', {
  id: Id(),
  position: Type.Integer({ description: 'Its place among these items, from 0', examples: [0] }),
  ...RunItem.properties,
  publication_id: nullable(Id('The publication that it is or became')),
  publication: nullable(
    titled(
      'ImportedPublication',
      {
        id: Id(),
        title: Type.String({ examples: ['Heure du conte'] }),
        moderation_status: oneOf(['pending', 'approved', 'published', 'rejected'] as const),
        deleted: Type.Boolean({ examples: [false] }),
      },
      'As it is now; null once it is erased',
    ),
  ),
})
export type StoredItem = Static<typeof StoredItem>
