import type { RecordKind } from '../../platform/change.ts'
import { getForUpdate, type Level, type ManagedRow, updateStatut } from './queries.ts'

type Statut = Pick<ManagedRow, 'statut_admin' | 'note'>

const kind = { entity: 'defibrillateur', personal: ['note_commune', 'note_france'] }

/** Audited record of the fields that administrators of a level may change; the registry owns the others. */
export const defibrillateurOf = (level: Level) =>
  ({
    ...kind,
    lock: (tx, id) => getForUpdate(tx, level, id),
    write: (tx, { id }, values) => updateStatut(tx, level, id, values),
    auditedValues: (row) => auditedStatut(level, row),
  }) satisfies RecordKind<ManagedRow, Statut>

export const auditedStatut = (level: Level, { statut_admin, note }: Statut) => ({
  [`statut_admin_${level}`]: statut_admin,
  [`note_${level}`]: note,
})

export const defibrillateur = kind
export const defibrillateurSync = { entity: 'defibrillateur_sync', personal: [] }
