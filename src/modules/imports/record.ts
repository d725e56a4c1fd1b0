import type { AuditedKind } from '../../platform/audit/record.ts'
import type { RecordKind } from '../../platform/change.ts'
import { getSourceForUpdate, type SourceChange, type SourceRow, updateSource } from './queries.ts'

/** A source of imports, as it changes. Its address may hold a key. What its runs note on it is not of the trail. */
export const importSource = {
  entity: 'import_source',
  personal: ['url'],
  hold: getSourceForUpdate,
  write: (tx, { id }, values) => updateSource(tx, id, values),
  trailOf: ({ next_run_at, etag, last_modified, ...told }) => told,
} satisfies RecordKind<SourceRow, SourceChange>

/** A run that somebody asked for. */
export const importRun = { entity: 'import_run', personal: [] } satisfies AuditedKind
