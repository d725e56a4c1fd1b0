import Type, { type Static } from 'typebox'
import {
  Id,
  nullable,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { filters } from '../managing/schema.ts'
import { codeInsee, statutFields } from '../schema.ts'

/** Upper bounds of a response. */
export const maxCells = 2_000
export const maxPoints = 1_000
/** From here on single devices are told apart, unless there are more than `maxPoints`. */
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

export const MapCluster = titled('DefibrillateurCluster', {
  count: Type.Integer({ examples: [340] }),
  latitude: Type.Number({ description: 'Mean of its devices', examples: [45.61] }),
  longitude,
})
export type MapCluster = Static<typeof MapCluster>

export const MapPoint = titled('DefibrillateurPoint', {
  id: Id(),
  nom: textOrNull('Mairie'),
  adresse: textOrNull('1 Place de la Mairie'),
  latitude,
  longitude,
  statut_admin_commune: statutFields.statut_admin_commune,
  statut_admin_france: statutFields.statut_admin_france,
  absent_depuis: nullable(ResponseTimestamp('When it disappeared from the registry')),
})
export type MapPoint = Static<typeof MapPoint>

/** Either clusters or points, never both. */
export const DeviceMap = titled('DefibrillateurMap', {
  clusters: Type.Array(MapCluster, { maxItems: maxCells }),
  points: Type.Array(MapPoint, { maxItems: maxPoints }),
  total: Type.Integer({
    description: 'Devices in these clusters, whose cells may reach beyond the box, or points',
    examples: [340],
  }),
})
