import Type, { type Static } from 'typebox'
import {
  Id,
  nullable,
  strictObject,
  strictPartial,
  Timestamp,
} from '../../../platform/http/validation/schemas.ts'
import { writtenContent } from '../schema.ts'

const maxCommunes = 50

const { title, body, ...otherContent } = writtenContent

/** Fields for the communes of a publication. */
const attachment = {
  commune_id: nullable(Id("The first of its communes; by default the acteur's")),
  commune_ids: Type.Array(Id(), {
    maxItems: maxCommunes,
    description: 'All its communes. Empty, for the acteur of a group: all members, also later ones',
  }),
}

const content = {
  title: Type.Optional(title),
  titre: Type.Optional({ ...title, description: 'Accepted for `title`: one of the two is needed' }),
  body,
  ...Type.Partial(Type.Object({ ...attachment, ...otherContent })).properties,
}

/** A new publication whose acteur is already known. */
export const PublicationCreate = strictObject({
  ...content,
  publie_le: Type.Optional(
    nullable({
      ...Timestamp(
        'When it is to appear, still to come: for an acteur that may publish, or an administrator',
      ),
      // A fixed date would eventually be in the past.
      examples: [null],
    }),
  ),
  for_review: Type.Optional(
    Type.Boolean({ description: 'True: pending, although the acteur may publish', examples: [true] }),
  ),
})
export type PublicationCreate = Static<typeof PublicationCreate>

export const PublicationCreateAs = strictObject({
  acteur_id: Id('The acteur that publishes'),
  ...PublicationCreate.properties,
})

export const PublicationUpdate = strictPartial({
  ...content,
  epingle: Type.Boolean({ description: "First in its acteur's own list", examples: [true] }),
})
export type PublicationUpdate = Static<typeof PublicationUpdate>
