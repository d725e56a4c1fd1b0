import { invalid } from '../../../platform/errors.ts'
import { maxCells, pointsFromZoom } from './schema.ts'

/**
 * The grid of clusters. Level n has 2^n columns; each cell of a level is four of the next. A cell is about 64
 * pixels wide on a map whose world is 512 · 2^zoom pixels.
 */
export type Box = { west: number; south: number; east: number; north: number }
/** Inclusive ranges of cells; two ranges of columns where the box crosses the antimeridian. */
export type Cells = { level: number; columns: [first: number, last: number][]; rows: [number, number] }

/** Level whose cells the table `defibrillateur_map_cells` counts. */
export const countedLevel = 12
const levelOf = (zoom: number) => zoom + 3

export const columnOf = (longitude: number, level: number) =>
  Math.floor(((longitude + 180) / 360) * 2 ** level)
/** Rows are counted northwards from the South Pole. */
export const rowOf = (latitude: number, level: number) => Math.floor(((latitude + 90) / 252) * 2 ** level)

/** Reads `west,south,east,north`. A west beyond the east crosses the antimeridian. */
export function boxOf([west = 0, south = 0, east = 0, north = 0]: readonly number[]): Box {
  if (Math.abs(west) > 180 || Math.abs(east) > 180) throw invalid('bbox', outside)
  if (Math.abs(south) > 90 || Math.abs(north) > 90) throw invalid('bbox', outside)
  if (south >= north || west === east) throw invalid('bbox', empty)
  return { west, south, east, north }
}

/** The box as ranges of longitude. */
export const rangesOf = ({ west, east }: Box): [west: number, east: number][] =>
  west < east
    ? [[west, east]]
    : [
        [west, 180],
        [-180, east],
      ]

/** Returns the cells that the box touches, on the finest level for this zoom that has at most `maxCells`. */
export function cellsOf(box: Box, zoom: number): Cells {
  for (let level = levelOf(zoom); ; level--) {
    const columns = rangesOf(box).map(([west, east]): [number, number] => [
      columnOf(west, level),
      columnOf(east, level),
    ])
    const rows: [number, number] = [rowOf(box.south, level), rowOf(box.north, level)]
    const count = columns.reduce((sum, [first, last]) => sum + last - first + 1, 0) * (rows[1] - rows[0] + 1)
    if (count <= maxCells || level === 0) return { level, columns, rows }
  }
}

export const mayShowPoints = (zoom: number) => zoom >= pointsFromZoom

const outside = {
  en: 'must lie within -180,-90,180,90',
  fr: 'doit se trouver dans -180,-90,180,90',
}
const empty = {
  en: 'must have an area: west,south,east,north with the south below the north',
  fr: 'doit avoir une surface : ouest,sud,est,nord, le sud au-dessous du nord',
}
