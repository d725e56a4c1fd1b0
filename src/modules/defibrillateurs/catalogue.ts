import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { requireRow } from '../../platform/database/require-row.ts'
import { invalid } from '../../platform/errors.ts'
import { hasWord } from '../../platform/formats/text.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import {
  PageWith,
  page,
  pagingOf,
  pagingQuery,
  publicPerPage,
  totalOfList,
  totalOfSearch,
} from '../../platform/http/listing/paging.ts'
import { Id, nullable, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { type LocatedPlace, locatePlace } from '../addresses/locating.ts'
import { openAt } from './hours/open-now.ts'
import {
  type CatalogueFilters,
  type ClosedPlaces,
  listAsked,
  listHours,
  listPublicOfCommune,
} from './listing.ts'
import { presentAt } from './present.ts'
import { getSyncState } from './queries.ts'
import { codeInsee, Defibrillateur, lastSynced, latestStatus, searchText } from './schema.ts'

const defaultRadius = 10_000

const CatalogueQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  q: searchText,
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
type CatalogueQuery = Static<typeof CatalogueQuery>

const Listed = titled('DefibrillateurListed', {
  ...Defibrillateur.properties,
  distance_m: Type.Optional(
    Type.Integer({ description: 'As the crow flies, where a place was given', examples: [240] }),
  ),
})

const Near = Type.Object(
  {
    nom: Type.String({ examples: ['12 Rue Croix d’Or, Chambéry'] }),
    latitude: nullable(Type.Number({ examples: [45.566] })),
    longitude: nullable(Type.Number({ examples: [5.921] })),
  },
  {
    description:
      'What `q` was taken for, since no device has these words: a commune, or an address of one whose addresses are loaded. The devices are the nearest to it; without coordinates, those of the commune',
  },
)

const Catalogue = PageWith('DefibrillateursMeta', { near: Type.Optional(Near) }, Listed)

const OfCommune = titled('CommuneDefibrillateurs', {
  defibrillateurs: Type.Array(Defibrillateur),
  meta: Type.Object({
    count: Type.Integer({ examples: [12] }),
    last_synced_at: lastSynced,
    sync_status: latestStatus,
  }),
})

const ByCommune = Type.Object({ id: Id('Identifier of the commune') })

export function catalogueRoutes(scope: HttpServer, { reads, lists, clock }: Deps): void {
  scope.get(
    '/communes/:id/defibrillateurs',
    {
      config: { caching: { never: 'what is open changes with the clock' } },
      schema: {
        operationId: 'listCommuneDefibrillateurs',
        summary: 'Active defibrillators of a commune, and when they were brought up to date',
        params: ByCommune,
        response: { 200: OfCommune },
      },
    },
    async ({ params }) => {
      const [rows, { last_synced_at, sync_status }] = await Promise.all([
        listPublicOfCommune(reads, params.id),
        getSyncState(reads, params.id),
        requireRow(reads, 'communes', params.id),
      ])
      const meta = { count: rows.length, last_synced_at, sync_status }
      return { defibrillateurs: rows.map(presentAt(clock())), meta }
    },
  )

  scope.get(
    '/defibrillateurs',
    {
      config: { caching: { never: 'what is open changes with the clock' } },
      schema: {
        operationId: 'listDefibrillateurs',
        summary: 'Active defibrillators of France, by name; around a place, the nearest first',
        querystring: CatalogueQuery,
        response: { 200: Catalogue },
      },
    },
    async ({ query }) => {
      const now = clock()
      const asked = askedBy(query)
      const closed = query.ouvert ? await listClosed(lists, asked, now) : []
      const paging = pagingOf(query, publicPerPage)
      const { rows, total } = await listAsked(lists, asked, closed, paging)
      const around = total === 0 ? await findAround(lists, asked) : null
      if (around !== null) {
        const found = await listAsked(lists, around.asked, [], paging)
        const { data, meta } = page(found.rows.map(presentAt(now)), totalOfList(found.total), paging)
        return { data, meta: { ...meta, near: around.near } }
      }
      return page(
        rows.map(presentAt(now)),
        (query.q === undefined ? totalOfList : totalOfSearch)(total),
        paging,
      )
    },
  )
}

/** Finds the place that words name which no device has, and what to list around it; null if they name none. */
async function findAround(db: Database, { q, code_insee, place }: CatalogueFilters) {
  if (q === undefined || !hasWord(q) || code_insee !== undefined || place !== null) return null
  const located = await locatePlace(db, q, null)
  if (located === null) return null
  const { nom, latitude, longitude } = located
  return { near: { nom, latitude, longitude }, asked: askedAround(located) }
}

/** Returns the filters for what is nearest to a place; for a commune whose centre is unknown, for what it has itself. */
export const askedAround = ({
  latitude,
  longitude,
  code_insee,
}: Omit<LocatedPlace, 'nom'>): CatalogueFilters =>
  askedBy(latitude === null || longitude === null ? { code_insee } : { lat: latitude, lon: longitude })

/** Checks that parameters which belong together are given together. */
export function askedBy({ q, code_insee, lat, lon, rayon, ouvert }: CatalogueQuery): CatalogueFilters {
  if (lat !== undefined && lon === undefined) throw invalid('lon', together)
  if (lon !== undefined && lat === undefined) throw invalid('lat', together)
  const place = lat !== undefined && lon !== undefined ? { lat, lon, rayon: rayon ?? defaultRadius } : null
  if (place === null && rayon !== undefined) throw invalid('lat', together)
  if (ouvert && place === null && code_insee === undefined) throw invalid('ouvert', bounded)
  return { ...(q !== undefined && { q }), ...(code_insee !== undefined && { code_insee }), place }
}

/** Lists the opening hours that are known to be closed now. */
async function listClosed(db: Database, asked: CatalogueFilters, now: Date): Promise<ClosedPlaces> {
  const isOpen = openAt(now)
  return (await listHours(db, asked)).filter((hours) => isOpen(hours) === false) as ClosedPlaces
}

const together = {
  en: 'lat and lon must be given together, and rayon only with them',
  fr: 'lat et lon doivent être donnés ensemble, et rayon seulement avec eux',
}
const bounded = {
  en: 'requires lat and lon, or code_insee',
  fr: 'exige lat et lon, ou code_insee',
}
