import { hash } from 'node:crypto'
import type { AuditedKind } from '../../platform/audit/record.ts'
import type { RecordKind } from '../../platform/change.ts'
import { getPublicationForUpdate, type StoredPublication, updatePublication } from './queries.ts'

/** A publication, as it changes. Of its body the trail keeps only that it is another, and how long. */
export const publication = {
  entity: 'publication',
  personal: [],
  hold: getPublicationForUpdate,
  write: updatePublication,
  trailOf: ({ id, version, duplicate_key, body, ...told }) => ({
    ...told,
    body: `${[...body].length} characters, ${hash('sha256', body, 'hex').slice(0, 12)}`,
  }),
} satisfies RecordKind<StoredPublication>

/** What a reader reports of one, and who they are. */
export const report = {
  entity: 'publication_report',
  personal: ['reason', 'message', 'caller_key'],
} satisfies AuditedKind
