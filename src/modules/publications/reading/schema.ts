import Type, { type Static } from 'typebox'
import { CursorMeta, updatedQuery } from '../../../platform/http/listing/cursor.ts'
import { Page, pagingQuery, publicPerPage, totalIsAtLeast } from '../../../platform/http/listing/paging.ts'
import { DateOnly, Id, oneOf, text, titled } from '../../../platform/http/validation/schemas.ts'
import { Publication } from '../schema.ts'

export const ByActeur = Type.Object({ acteurId: Id('Identifier of the acteur') })
export const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })

export const PublicQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  ...updatedQuery,
  q: Type.Optional(
    text(200, {
      description:
        'Words of title, body and place, whatever accents and endings; the last may be a beginning',
      examples: ['pomme'],
    }),
  ),
  commune_id: Type.Optional(Id('One of its communes')),
  acteur_id: Type.Optional(Id('Its acteur')),
  type_id: Type.Optional(Id('Its type')),
  date_debut_min: Type.Optional(DateOnly('Its first day is this one or later')),
  date_debut_max: Type.Optional(DateOnly('Its first day is this one or earlier')),
  date_fin_min: Type.Optional(DateOnly('Its last day, or its only one, is this one or later')),
  sort: Type.Optional(
    oneOf(['date_debut_asc'], 'As an agenda: by first day, what has none last. Default: the newest first.'),
  ),
})
export type PublicQuery = Static<typeof PublicQuery>

export const PublicQueryOfAll = Type.Object({
  ...PublicQuery.properties,
  group_id: Type.Optional(Id('Published for the members of this group by its acteur')),
})

const { acteur_id: _acteur, ...ofActeur } = PublicQuery.properties
const { commune_id: _commune, ...ofCommune } = PublicQuery.properties
export const PublicQueryOfActeur = Type.Object(ofActeur)
export const PublicQueryOfCommune = Type.Object(ofCommune)

const PublicationPages = Page(Publication)

export const PublicationPage = Type.Object({
  data: PublicationPages.properties.data,
  meta: Type.Union([
    PublicationPages.properties.meta,
    titled('PublicationCursorMeta', {
      ...CursorMeta.properties,
      total: Type.Integer({
        description: 'How many the list has now, whenever they changed: as many as a complete copy',
        examples: [1_204],
      }),
      total_is_at_least: totalIsAtLeast,
    }),
  ]),
})
