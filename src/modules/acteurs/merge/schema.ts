import Type, { type Static } from 'typebox'
import {
  Id,
  oneOf,
  ResponseTimestamp,
  strictObject,
  titled,
} from '../../../platform/http/validation/schemas.ts'

export const MergeBody = strictObject({
  into: {
    ...Id('The acteur to merge it into, of the same type'),
    examples: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0f'],
  },
})
export type MergeBody = Static<typeof MergeBody>

const state = oneOf(
  ['merging', 'merged'],
  '`merging`: its id and slug answer as the target already, and what refers to it is being moved; `merged`: nothing refers to it',
)

export const Merging = titled('ActeurMerging', {
  id: Id('The acteur that was merged'),
  into: Id('The acteur that answers for it'),
  state,
})
export type Merging = Static<typeof Merging>

export const MergedActeur = titled('MergedActeur', {
  id: Id(),
  slug: Type.String({ examples: ['petanque-chambery'] }),
  nom: Type.String({ examples: ['Pétanque Chambéry'] }),
  merged_at: ResponseTimestamp(),
  state,
})
export type MergedActeur = Static<typeof MergedActeur>
