import Type, { type Static } from 'typebox'
import { idsQuery, several, sortQuery } from '../../../platform/http/lists.ts'
import { listQuery } from '../../../platform/http/paging.ts'
import { canCommune, communeFields } from '../editing/schema.ts'
import { communeFilters } from '../schema.ts'

export const CommunesAdminQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['nom', 'population', 'code_insee'], 'nom_asc'),
  ids: idsQuery,
  ...communeFilters,
  mairie: several(Type.Boolean(), 'With a mairie, or without'),
})
export type CommunesAdminQuery = Static<typeof CommunesAdminQuery>

export const ManagedCommune = Type.Object({ ...communeFields, can: canCommune }, { title: 'ManagedCommune' })
