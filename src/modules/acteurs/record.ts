import type { RecordKind } from '../../platform/change.ts'
import { type ActeurRow, getActeurForUpdate, updateActeur } from './queries.ts'

/** An acteur, as it changes. Its contacts may be a person's. */
export const acteur = {
  entity: 'acteur',
  personal: ['adresse', 'telephone', 'email', 'site_web'],
  hold: getActeurForUpdate,
  write: (tx, { id }, values) => updateActeur(tx, id, values),
} satisfies RecordKind<ActeurRow>
