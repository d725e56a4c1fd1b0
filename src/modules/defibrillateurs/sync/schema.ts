import Type, { type Static } from 'typebox'
import { listQuery } from '../../../platform/http/paging.ts'
import { Id, nullable, oneOf, ResponseTimestamp } from '../../../platform/http/schemas.ts'
import { syncStatuses } from '../schema.ts'

export const ByCommune = Type.Object({ id: Id('Identifier of the commune') })

export const SyncQuery = Type.Object({
  accept_fall: Type.Optional(
    Type.Boolean({ description: 'Believes a registry that has lost more than half of what is there' }),
  ),
})

const status = oneOf(syncStatuses)

export const Started = Type.Object({ id: Id(), status }, { title: 'DefibrillateurSyncStarted' })

const count = (description: string) => Type.Optional(Type.Integer({ description, examples: [12] }))
const byReason = (example: string, description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Integer(), { description, examples: [{ [example]: 3 }] }))

const Counts = Type.Object({
  read: count('Rows of the registry'),
  received: count('Different devices among them'),
  created: count('New ones'),
  updated: count('Changed ones'),
  unchanged: count('Ones that were so already'),
  absent: count('Ones that the registry has no more'),
  returned: count('Ones that it has again, unchanged'),
  refused: byReason('no_identifier', 'Rows that were left out, by reason'),
  cleaned: byReason('contact_masked', 'Values that were mended or left out, by reason'),
})

export const Sync = Type.Object(
  {
    id: Id(),
    commune_id: nullable(Id('Null: all of France')),
    source: oneOf(['registre', 'fichier'], 'The registry itself, or a file of it'),
    status,
    error: nullable(Type.String({ examples: ['The registry answered 503.'] })),
    counts: nullable(Counts),
    created_at: ResponseTimestamp(),
    started_at: nullable(ResponseTimestamp()),
    finished_at: nullable(ResponseTimestamp()),
  },
  { title: 'DefibrillateurSync' },
)
export type Sync = Static<typeof Sync>

export const SyncsQuery = Type.Object({
  ...listQuery,
  commune_id: Type.Optional(Id('Of this commune; default: of France')),
})
