import type { Static } from 'typebox'
import { Can, nullable, strictPartial, text, titled } from '../../../platform/http/validation/schemas.ts'
import { publicationActions } from '../decisions/states.ts'
import { ManagedPublication, writtenContent } from '../schema.ts'

const { title, body, type_id, date_debut, date_fin, heure_debut, heure_fin } = writtenContent

export const Correction = strictPartial({
  ...{ title, body, type_id, date_debut, date_fin, heure_debut, heure_fin },
  reason: nullable(
    text(1_000, { description: 'Sent to the author', examples: ['La date était celle de 2025.'] }),
  ),
})
export type Correction = Static<typeof Correction>

/** A publication after a correction. */
export const CorrectedPublication = titled('CorrectedPublication', {
  ...ManagedPublication.properties,
  can: Can(publicationActions),
})
export type CorrectedPublication = Static<typeof CorrectedPublication>
