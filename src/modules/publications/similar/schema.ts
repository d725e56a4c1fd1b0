import Type, { type Static } from 'typebox'
import { Can, oneOf, titled } from '../../../platform/http/validation/schemas.ts'
import { publicationActions } from '../decisions/states.ts'
import { ManagedPublication } from '../schema.ts'

export const sharedNames = [
  'title',
  'body',
  'source_url',
  'image_url',
  'date_debut',
  'lieu',
  'acteur_id',
] as const

export const SimilarPublication = titled('SimilarPublication', {
  ...ManagedPublication.properties,
  because: oneOf(
    ['duplicate', 'title'],
    '`duplicate`: same group of suspected duplicates. `title`: same acteur, created within 90 days, and a similar title',
  ),
  similarity: Type.Number({ description: 'Of the titles: 1 is the same', examples: [0.85] }),
  can: Can(publicationActions),
  shares: Type.Array(oneOf(sharedNames), { description: 'Fields that are equal and not empty' }),
})
/** A row as selected from the database. */
export type SimilarPublication = Omit<Static<typeof SimilarPublication>, 'can'>
