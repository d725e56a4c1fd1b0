import { hash } from 'node:crypto'
import type { RecordKind } from '../../platform/change.ts'
import { getPublicationForUpdate, type StoredPublication, updatePublication } from './queries.ts'

/** A publication, as it changes. Of its body the trail keeps only that it is another, and how long. */
export const publication = {
  entity: 'publication',
  // What readers say in their reports of it.
  personal: ['reason', 'message'],
  hold: getPublicationForUpdate,
  write: updatePublication,
  trailOf: ({ id, version, duplicate_key, body, ...told }) => ({
    ...told,
    body: `${[...body].length} characters, ${hash('sha256', body, 'hex').slice(0, 12)}`,
  }),
} satisfies RecordKind<StoredPublication>
