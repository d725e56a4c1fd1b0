import Type, { type Static } from 'typebox'
import { ListPageWith } from '../../../platform/http/listing/list-page.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import { oneOf, titled } from '../../../platform/http/validation/schemas.ts'
import { canCommune, communeFields, gapsField } from '../editing/schema.ts'
import { gapNames } from '../gaps.ts'
import { communeFilters } from '../schema.ts'

export const CommunesAdminQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['nom', 'population', 'code_insee'], 'nom_asc'),
  ids: idsQuery,
  ...communeFilters,
  mairie: several(Type.Boolean(), 'With a mairie, or without'),
  incomplete: several(
    oneOf(gapNames),
    'Communes that lack at least one of these: `elus`, `collectes`; `infos`, if the public lacks the address, telephone, e-mail or website; `mairie`, if none is named or it is hidden',
  ),
})
export type CommunesAdminQuery = Static<typeof CommunesAdminQuery>

const ManagedCommune = titled('ManagedCommune', { ...communeFields, gaps: gapsField, can: canCommune })

const count = Type.Integer({ examples: [120] })
const incomplete = Type.Object(
  { elus: count, collectes: count, infos: count, mairie: count },
  { description: 'How many of the communes that the other filters leave lack each' },
)
export const CommunesPage = ListPageWith('ManagedCommunesMeta', { incomplete }, ManagedCommune)
