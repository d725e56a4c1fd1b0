import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Makes the outlines of the départements that the home of the public site shows, from a GeoJSON file with the property
 * `code`: `tools/departements-map.ts departements.geojson`. The one in use is `departements-version-simplifiee.geojson` of
 * https://github.com/gregoiredavid/france-geojson (commit 5d34ee6d), from Admin Express COG 2018 of IGN, Licence Ouverte.
 *
 * Points are rounded to a grid. Between two points where three outlines meet, each line is simplified once, for both
 * départements that it separates, so that no gap opens between them.
 */

type Point = readonly [number, number]
type Feature = {
  properties: { code: string }
  geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: never }
}

const width = 500
/** Of a line, in units of the grid. */
const tolerance = 1.5
/** Smaller islands are left out. */
const minArea = 12
const [west, east, south, north] = [-5.3, 9.7, 41.2, 51.2]
const scale = width / (east - west)
/** A degree of longitude is shorter than one of latitude by this. */
const stretch = 1 / Math.cos((46.5 * Math.PI) / 180)

const [file = ''] = process.argv.slice(2)
const { features } = JSON.parse(readFileSync(file, 'utf8')) as { features: Feature[] }
const rings = features.flatMap(({ properties: { code }, geometry: { type, coordinates } }) => {
  const polygons: [number, number][][][] = type === 'Polygon' ? [coordinates] : coordinates
  return polygons.map(([outer = []]) => ({ code, points: withoutRepeats(outer.map(onGrid)) }))
})
const shown = rings.filter(({ points }) => areaOf(points) >= minArea)

const neighbours = new Map<string, Set<string>>()
for (const { points } of shown)
  for (const [at, point] of points.entries()) {
    const others = neighbours.get(`${point}`) ?? new Set()
    for (const step of [-1, 1]) others.add(`${points.at((at + step) % points.length)}`)
    neighbours.set(`${point}`, others)
  }
const isNode = (point: Point) => (neighbours.get(`${point}`)?.size ?? 0) > 2

const paths: Record<string, string> = {}
for (const { code, points } of shown) paths[code] = (paths[code] ?? '') + pathOf(simplified(points))
const height = Math.round((north - south) * scale * stretch)
writeFileSync(
  new URL('../src/site/home/departements.json', import.meta.url),
  `${JSON.stringify({ width, height, paths }, null, 2)}\n`,
)

function onGrid([longitude, latitude]: [number, number]): Point {
  return [Math.round((longitude - west) * scale), Math.round((north - latitude) * scale * stretch)]
}

function withoutRepeats(points: Point[]): Point[] {
  return points.filter((point, at) => `${point}` !== `${points.at(at - 1)}`)
}

function areaOf(points: Point[]): number {
  const parts = points.map(([x, y], at) => {
    const [x2, y2] = points.at(at - 1) as Point
    return x * y2 - x2 * y
  })
  return Math.abs(parts.reduce((sum, part) => sum + part, 0)) / 2
}

function simplified(points: Point[]): Point[] {
  const first = Math.max(0, points.findIndex(isNode))
  const turned = [...points.slice(first), ...points.slice(0, first), points[first] as Point]
  const lines: Point[][] = []
  for (const [at, point] of turned.entries()) {
    lines.at(-1)?.push(point)
    // An outline that meets no other, such as of an island, is two lines.
    const isHalf = !points.some(isNode) && at === Math.floor(points.length / 2)
    if (at === 0 || isNode(point) || isHalf) lines.push([point])
  }
  return lines.filter((line) => line.length > 1).flatMap((line) => lineBetween(line).slice(0, -1))
}

/** Simplifies a line in the same direction whichever outline it belongs to. */
function lineBetween(line: Point[]): Point[] {
  const isBackward = `${line[0]}` > `${line.at(-1)}`
  const result = reduced(isBackward ? line.toReversed() : line)
  return isBackward ? result.toReversed() : result
}

/** Leaves out points that are near the straight line (Douglas and Peucker). */
function reduced(line: Point[]): Point[] {
  const [first, last] = [line[0] as Point, line.at(-1) as Point]
  const length = Math.hypot(last[0] - first[0], last[1] - first[1])
  const distances = line.map(([x, y]) =>
    length === 0
      ? Math.hypot(x - first[0], y - first[1])
      : Math.abs((last[0] - first[0]) * (first[1] - y) - (first[0] - x) * (last[1] - first[1])) / length,
  )
  const farthest = distances.indexOf(Math.max(...distances))
  if ((distances[farthest] ?? 0) <= tolerance) return [first, last]
  return [...reduced(line.slice(0, farthest + 1)).slice(0, -1), ...reduced(line.slice(farthest))]
}

/** Relative to the point before: the shortest text. */
function pathOf(points: Point[]): string {
  const steps = points.map(([x, y], at) => {
    if (at === 0) return `M${x} ${y}l`
    const [x2, y2] = points[at - 1] as Point
    const [dx, dy] = [x - x2, y - y2]
    return `${at > 1 && dx >= 0 ? ' ' : ''}${dx}${dy < 0 ? '' : ' '}${dy}`
  })
  return points.length < 3 ? '' : `${steps.join('')}z`
}
