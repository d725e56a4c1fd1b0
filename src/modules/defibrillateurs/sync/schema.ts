import Type, { type Static } from 'typebox'
import { listQuery } from '../../../platform/http/listing/paging.ts'
import {
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { syncStatuses } from '../schema.ts'

export const ByCommune = Type.Object({ id: Id('Identifier of the commune') })

export const SyncQuery = Type.Object({
  accept_fall: Type.Optional(
    Type.Boolean({
      description: 'Accepts a sync that would remove or hide more than half of the devices',
    }),
  ),
})

const status = oneOf(syncStatuses)

export const Started = titled('DefibrillateurSyncStarted', { id: Id(), status })

const count = (description: string) => Type.Optional(Type.Integer({ description, examples: [12] }))
const byReason = (example: string, description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Integer(), { description, examples: [{ [example]: 3 }] }))

const Counts = Type.Object({
  read: count('Rows of the registry'),
  received: count('Different devices among them'),
  created: count('New ones'),
  updated: count('Changed ones'),
  unchanged: count('Ones that were so already'),
  absent: count('Devices that disappeared from the registry'),
  returned: count('Ones that it has again, unchanged'),
  refused: byReason('no_identifier', 'Rows that were left out, by reason'),
  cleaned: byReason('contact_masked', 'Values that were mended or left out, by reason'),
})

const Example = Type.Object({
  gid: Type.String({ examples: ['1800'] }),
  nom: textOrNull('Mairie'),
  commune_nom: textOrNull('Saint-Étienne'),
})
export type Example = Static<typeof Example>

export const failures = ['fall', 'content', 'unreachable', 'interrupted', 'internal'] as const
const ofFall = (description: string) => Type.Optional(Type.Integer({ description, examples: [12] }))
const Failure = titled('DefibrillateurSyncFailure', {
  code: oneOf(
    failures,
    '`fall`: the registry has lost or retains no more than half of what was there, see `accept_fall`',
  ),
  received: ofFall('Of a fall: devices that the registry has'),
  present: ofFall('Of a fall: devices that were there, or only those among them that the registry retained'),
  missing: ofFall('Of a fall: those of them that it would mark absent, or retain no more'),
  examples: Type.Optional(Type.Array(Example, { description: 'Of a fall: some of those missing' })),
})
export type Failure = Static<typeof Failure>

const Progress = titled('DefibrillateurSyncProgress', {
  read: Type.Integer({ description: 'Rows of the registry read so far', examples: [47_000] }),
  expected: nullable(
    Type.Integer({ description: 'Rows that the last successful sync read', examples: [190_000] }),
  ),
})

export const Sync = titled('DefibrillateurSync', {
  id: Id(),
  commune_id: nullable(Id('Null: all of France')),
  source: oneOf(['registre', 'fichier'], 'The registry itself, or a file of it'),
  status,
  error: textOrNull('The registry answered 503.'),
  failure: nullable(Failure),
  progress: nullable(Progress),
  counts: nullable(Counts),
  created_at: ResponseTimestamp(),
  started_at: nullable(ResponseTimestamp()),
  finished_at: nullable(ResponseTimestamp()),
})
export type Sync = Static<typeof Sync>

export const SyncsQuery = Type.Object({
  ...listQuery,
  commune_id: Type.Optional(Id('Of this commune; default: of France')),
})
