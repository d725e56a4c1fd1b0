import type { RecordKind } from '../../platform/change.ts'
import { type ActeurRow, getActeurForUpdate, updateActeur } from './queries.ts'

/** The acteur as an audited record. Its contacts may be personal. */
export const acteur = {
  entity: 'acteur',
  personal: ['adresse', 'telephone', 'email', 'site_web'],
  lock: getActeurForUpdate,
  write: (tx, { id }, values) => updateActeur(tx, id, values),
} satisfies RecordKind<ActeurRow>
