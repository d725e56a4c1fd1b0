import type { RecordKind } from '../../platform/change.ts'
import { getImportForUpdate, type StoredImport, updateImport } from './queries.ts'

/** An import of collections, from its check on. */
export const collecteImport = {
  entity: 'collecte_import',
  personal: [],
  lock: getImportForUpdate,
  write: (tx, { id }, values) => updateImport(tx, id, values),
  auditedValues: ({ acteur_id, kind, applied_at, undone_at }) => ({ acteur_id, kind, applied_at, undone_at }),
} satisfies RecordKind<StoredImport>
