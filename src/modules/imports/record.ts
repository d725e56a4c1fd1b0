import type { AuditedKind } from '../../platform/audit/record.ts'
import type { RecordKind } from '../../platform/change.ts'
import { getSourceForUpdate, type SourceChange, type SourceRow, updateSource } from './queries.ts'

/** The import source as an audited record. Its URL may contain a key. What runs record on it is not audited. */
export const importSource = {
  entity: 'import_source',
  personal: ['url'],
  lock: getSourceForUpdate,
  write: (tx, { id }, values) => updateSource(tx, id, values),
  auditedValues: ({ next_run_at, etag, last_modified, ...told }) => told,
} satisfies RecordKind<SourceRow, SourceChange>

/** A run requested by a person, as an audited record. */
export const importRun = { entity: 'import_run', personal: [] } satisfies AuditedKind
