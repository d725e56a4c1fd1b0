import Type, { type Static } from 'typebox'
import { Can, nullable, text } from '../../../platform/http/validation/schemas.ts'
import { publicationActions } from '../decisions/states.ts'
import { ManagedPublication, writtenContent } from '../schema.ts'

const { title, body, type_id, date_debut, date_fin, heure_debut, heure_fin } = writtenContent

export const Correction = Type.Partial(
  Type.Object({
    ...{ title, body, type_id, date_debut, date_fin, heure_debut, heure_fin },
    reason: nullable(
      text(1_000, { description: 'Sent to the author', examples: ['La date était celle de 2025.'] }),
    ),
  }),
  { additionalProperties: false },
)
export type Correction = Static<typeof Correction>

/** A publication after a correction. */
export const CorrectedPublication = Type.Object(
  { ...ManagedPublication.properties, can: Can(publicationActions) },
  { title: 'CorrectedPublication' },
)
export type CorrectedPublication = Static<typeof CorrectedPublication>
