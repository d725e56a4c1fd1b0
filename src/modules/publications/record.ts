import { hash } from 'node:crypto'
import type { RecordKind } from '../../platform/change.ts'
import { getPublicationForUpdate, type StoredPublication, updatePublication } from './queries.ts'

/** The publication as an audited record. Of its body only the length and the fact of a change are stored. */
export const publication = {
  entity: 'publication',
  // Free text of readers' reports.
  personal: ['reason', 'message'],
  lock: getPublicationForUpdate,
  write: updatePublication,
  auditedValues: ({ id, version, duplicate_key, body, withdrawn_at, fetched_image, ...audited }) => ({
    ...audited,
    body: `${[...body].length} characters, ${hash('sha256', body, 'hex').slice(0, 12)}`,
  }),
} satisfies RecordKind<StoredPublication>
