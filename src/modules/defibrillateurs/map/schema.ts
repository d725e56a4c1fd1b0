import Type, { type Static } from 'typebox'
import { Id, nullable, ResponseTimestamp } from '../../../platform/http/validation/schemas.ts'
import { filters } from '../managing/schema.ts'
import { codeInsee, statutFields } from '../schema.ts'

/** Upper bounds of a response. */
export const mostCells = 2_000
export const mostPoints = 1_000
/** From here on single devices are told apart, unless there are more than `mostPoints`. */
export const pointsFromZoom = 14

const { ids, q, statut_admin, etat_fonctionnement, absent } = filters

export const MapQuery = Type.Object({
  bbox: Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description:
      'West, south, east and north in degrees, separated by commas; a west beyond the east crosses the antimeridian',
    examples: [[-5.5, 41, 10, 51.5]],
  }),
  zoom: Type.Integer({
    minimum: 0,
    maximum: 22,
    description: `Of a map whose world is 512 · 2^zoom pixels wide. Points from ${pointsFromZoom} on`,
    examples: [5],
  }),
  ids,
  q,
  code_insee: codeInsee,
  statut_admin,
  etat_fonctionnement,
  absent,
})
export type MapQuery = Static<typeof MapQuery>

const latitude = Type.Number({ examples: [45.61] })
const longitude = Type.Number({ examples: [4.05] })

export const MapCluster = Type.Object(
  {
    count: Type.Integer({ examples: [340] }),
    latitude: Type.Number({ description: 'Mean of its devices', examples: [45.61] }),
    longitude,
  },
  { title: 'DefibrillateurCluster' },
)
export type MapCluster = Static<typeof MapCluster>

export const MapPoint = Type.Object(
  {
    id: Id(),
    nom: nullable(Type.String({ examples: ['Mairie'] })),
    adresse: nullable(Type.String({ examples: ['1 Place de la Mairie'] })),
    latitude,
    longitude,
    statut_admin_commune: statutFields.statut_admin_commune,
    statut_admin_france: statutFields.statut_admin_france,
    absent_depuis: nullable(ResponseTimestamp('Since when the registry has it no more')),
  },
  { title: 'DefibrillateurPoint' },
)
export type MapPoint = Static<typeof MapPoint>

/** Either clusters or points, never both. */
export const DeviceMap = Type.Object(
  {
    clusters: Type.Array(MapCluster, { maxItems: mostCells }),
    points: Type.Array(MapPoint, { maxItems: mostPoints }),
    total: Type.Integer({
      description: 'Devices in these clusters, whose cells may reach beyond the box, or points',
      examples: [340],
    }),
  },
  { title: 'DefibrillateurMap' },
)
