import type { Secteur } from './queries.ts'

type Zone = NonNullable<Secteur['zone']>
type Polygons = number[][][][]

/** Returns an area as it is typed and pasted: GeoJSON; empty without one. */
export const textOf = (zone: Secteur['zone']) => (zone === null ? '' : JSON.stringify(zone))

/** Returns the area of polygons; null of none. */
export const zoneOf = (polygons: Polygons): Zone | null => {
  const [only] = polygons
  if (only === undefined) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons }
}

/** Reads the polygons of GeoJSON: of an area, a feature or a collection of them. Null: it is something else. */
export function polygonsIn(text: string): Polygons | null {
  if (text.trim() === '') return []
  try {
    const found = polygonsOf(JSON.parse(text))
    return found !== null && found.length > 0 && found.every(isPolygon) ? found.map(plain) : null
  } catch {
    return null
  }
}

function polygonsOf(value: unknown): Polygons | null {
  const { type, coordinates, geometry, features } = (value ?? {}) as Record<string, unknown>
  if (type === 'Polygon') return [coordinates as number[][][]]
  if (type === 'MultiPolygon') return coordinates as Polygons
  if (type === 'Feature') return polygonsOf(geometry)
  if (type !== 'FeatureCollection' || !Array.isArray(features)) return null
  const parts = features.map(polygonsOf)
  return parts.includes(null) ? null : (parts as Polygons[]).flat()
}

const isPolygon = (rings: unknown) =>
  Array.isArray(rings) &&
  rings.length > 0 &&
  rings.every((ring) => Array.isArray(ring) && ring.length >= 4 && ring.every(isPosition))

const isPosition = (at: unknown) =>
  Array.isArray(at) && at.slice(0, 2).filter(Number.isFinite).length === 2 && Math.abs(at[1]) <= 90

/** Longitude and latitude alone, to a tenth of a metre: a height is dropped. */
const plain = (rings: number[][][]) =>
  rings.map((ring) => ring.map(([x = 0, y = 0]) => [x, y].map((degrees) => Number(degrees.toFixed(6)))))
