type Position = readonly number[]
type Ring = readonly Position[]

/** An area of GeoJSON. The first ring of a polygon is its edge, others are holes; a position is longitude and latitude. */
export type Area =
  | { type: 'Polygon'; coordinates: readonly Ring[] }
  | { type: 'MultiPolygon'; coordinates: readonly (readonly Ring[])[] }

/** True if a point lies in an area and in none of its holes. On an edge, either may be returned. */
export function isInArea({ lat, lon }: { lat: number; lon: number }, area: Area): boolean {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates
  return polygons.some(
    ([edge = [], ...holes]) => isInRing(lon, lat, edge) && !holes.some((hole) => isInRing(lon, lat, hole)),
  )
}

/** Counts the sides that a ray to the east crosses: from inside, their number is odd. */
function isInRing(x: number, y: number, ring: Ring): boolean {
  let isInside = false
  ring.forEach(([x1 = 0, y1 = 0], at) => {
    const [x2 = 0, y2 = 0] = ring.at(at - 1) ?? []
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside
  })
  return isInside
}
