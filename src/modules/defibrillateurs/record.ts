import type { RecordKind } from '../../platform/change.ts'
import { getForUpdate, type Level, type ManagedRow, updateStatut } from './queries.ts'

type Statut = Pick<ManagedRow, 'statut_admin' | 'note'>

const kind = { entity: 'defibrillateur', personal: ['note_commune', 'note_france'] }

/** A defibrillator, as administrators of a level change it: the rest is the registry's. */
export const defibrillateurOf = (level: Level) =>
  ({
    ...kind,
    hold: (tx, id) => getForUpdate(tx, level, id),
    write: (tx, { id }, values) => updateStatut(tx, level, id, values),
    trailOf: ({ statut_admin, note }) => ({
      [`statut_admin_${level}`]: statut_admin,
      [`note_${level}`]: note,
    }),
  }) satisfies RecordKind<ManagedRow, Statut>

export const defibrillateur = kind
export const defibrillateurSync = { entity: 'defibrillateur_sync', personal: [] }
