import Type, { type Static } from 'typebox'
import { pagingQuery, publicPerPage } from '../../../platform/http/listing/paging.ts'
import { Id, titled } from '../../../platform/http/validation/schemas.ts'
import { codeInsee, Defibrillateur, lastSynced, latestStatus, searched } from '../schema.ts'

export const defaultRadius = 10_000
/** Upper bound of a nearest-first list. */
export const nearestListed = 1_000

export const CatalogueQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  q: searched,
  code_insee: codeInsee,
  lat: Type.Optional(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description: 'Goes with `lon`: nearest first',
      examples: [45.61],
    }),
  ),
  lon: Type.Optional(
    Type.Number({ minimum: -180, maximum: 180, description: 'Goes with `lat`', examples: [4.05] }),
  ),
  rayon: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50_000,
      description: `How far around, in metres; default ${defaultRadius}`,
      examples: [2_000],
    }),
  ),
  ouvert: Type.Optional(
    Type.Boolean({
      description:
        '`true` leaves out those that are known to be closed now. Needs a place (`lat`, `lon`) or `code_insee`',
    }),
  ),
})
export type CatalogueQuery = Static<typeof CatalogueQuery>

export const Listed = titled('DefibrillateurListed', {
  ...Defibrillateur.properties,
  distance_m: Type.Optional(
    Type.Integer({ description: 'As the crow flies, where a place was given', examples: [240] }),
  ),
})

export const OfCommune = titled('CommuneDefibrillateurs', {
  defibrillateurs: Type.Array(Defibrillateur),
  meta: Type.Object({
    count: Type.Integer({ examples: [12] }),
    last_synced_at: lastSynced,
    sync_status: latestStatus,
  }),
})

export const ByCommune = Type.Object({ id: Id('Identifier of the commune') })
