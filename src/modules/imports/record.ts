import type { AuditedKind } from '../../platform/audit/record.ts'
import type { RecordKind } from '../../platform/change.ts'
import { getSourceForUpdate, type SourceChange, type SourceRow, updateSource } from './queries.ts'

/** Audited record of an import source. Its URL may contain a key. State stored by runs is not audited. */
export const importSource = {
  entity: 'import_source',
  personal: ['url'],
  lock: getSourceForUpdate,
  write: (tx, { id }, values) => updateSource(tx, id, values),
  auditedValues: ({ next_run_at, etag, last_modified, ...audited }) => audited,
} satisfies RecordKind<SourceRow, SourceChange>

/** Audited record of a run that a person requested. */
export const importRun = { entity: 'import_run', personal: [] } satisfies AuditedKind
