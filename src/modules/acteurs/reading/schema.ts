import Type, { type Static } from 'typebox'
import { pagingQuery, publicPerPage } from '../../../platform/http/listing/paging.ts'
import { Id, IdOrSlug, nullable, titled } from '../../../platform/http/validation/schemas.ts'
import { Acteur, beginningOfName, severalTypes } from '../schema.ts'

export const ByIdOrSlug = Type.Object({
  idOrSlug: IdOrSlug('Identifier or slug of the acteur', 'petanque-de-chambery'),
})
export const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })

export const CommuneActeursQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  q: beginningOfName,
  type: severalTypes,
})
export type CommuneActeursQuery = Static<typeof CommuneActeursQuery>

const { id, slug, nom, type, badge, description, adresse, telephone, email, site_web } = Acteur.properties

/** Fields stored in the acteur's own row. */
export const shown = { id, slug, nom, type, badge, description, adresse, telephone, email, site_web }

export const PublicActeur = titled('PublicActeur', {
  ...shown,
  commune: nullable(
    Type.Object(
      {
        id: Id(),
        slug: Type.String({ examples: ['chambery'] }),
        nom: Type.String({ examples: ['Chambéry'] }),
      },
      { description: 'Where it acts' },
    ),
  ),
})
export type PublicActeur = Static<typeof PublicActeur>
