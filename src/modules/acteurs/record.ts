import type { RecordKind } from '../../platform/change.ts'
import { contactNames } from './fields.ts'
import { type ActeurRow, getActeurForUpdate, updateActeur } from './queries.ts'

/** The acteur as an audited record. Its contacts may be personal. */
export const acteur = {
  entity: 'acteur',
  personal: contactNames,
  lock: getActeurForUpdate,
  write: (tx, { id }, values) => updateActeur(tx, id, values),
} satisfies RecordKind<ActeurRow>
