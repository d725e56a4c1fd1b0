import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Area, isInArea } from './area.ts'

const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]
const at = (lon: number, lat: number) => ({ lon, lat })

test('a hole and what lies between two polygons are outside', () => {
  const area: Area = {
    type: 'MultiPolygon',
    coordinates: [[square(0, 0, 10), square(4, 4, 2)], [square(20, 0, 5)]],
  }
  expect([at(1, 1), at(22, 3)].map((point) => isInArea(point, area))).toEqual([true, true])
  expect([at(5, 5), at(15, 3), at(-1, 5), at(5, 11)].map((point) => isInArea(point, area))).toEqual(
    Array(4).fill(false),
  )
})

test('a ring that is empty, or ends where it does not begin, is read', () => {
  expect(isInArea(at(1, 1), { type: 'Polygon', coordinates: [] })).toBe(false)
  expect(isInArea(at(1, 1), { type: 'Polygon', coordinates: [[]] })).toBe(false)
  expect(isInArea(at(1, 1), { type: 'Polygon', coordinates: [square(0, 0, 2).slice(0, 4)] })).toBe(true)
})

/** A ring around the origin, whose corners lie at these distances in directions that follow each other. */
const star = fc
  .array(fc.double({ min: 1, max: 10, noNaN: true }), { minLength: 3, maxLength: 30 })
  .map((radii) => ({
    radii,
    ring: radii.map((radius, n) => {
      const angle = (2 * Math.PI * n) / radii.length
      return [radius * Math.cos(angle), radius * Math.sin(angle)]
    }),
  }))
const point = fc.record({
  lon: fc.double({ min: -12, max: 12, noNaN: true }),
  lat: fc.double({ min: -12, max: 12, noNaN: true }),
})

test('a star holds what is nearer to its centre than its side is', () => {
  fc.assert(
    fc.property(star, fc.nat(), fc.double({ min: 0.01, max: 0.99, noNaN: true }), ({ ring }, side, part) => {
      const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = [
        ring[side % ring.length],
        ring[(side + 1) % ring.length],
      ]
      const [x, y] = [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part]
      const area: Area = { type: 'Polygon', coordinates: [ring] }
      expect(isInArea(at(x * 0.99, y * 0.99), area)).toBe(true)
      expect(isInArea(at(x * 1.01, y * 1.01), area)).toBe(false)
    }),
  )
})

test('neither the first corner nor the direction of a ring matters, and a hole is what it cuts', () => {
  fc.assert(
    fc.property(star, fc.nat(29), point, ({ ring }, first, place) => {
      const area = (coordinates: number[][][]): Area => ({ type: 'Polygon', coordinates })
      const isIn = isInArea(place, area([ring]))
      const turned = [...ring.slice(first % ring.length), ...ring.slice(0, first % ring.length)]
      expect(isInArea(place, area([turned]))).toBe(isIn)
      expect(isInArea(place, area([turned.toReversed()]))).toBe(isIn)
      expect(isInArea(place, area([square(-20, -20, 40), ring]))).toBe(!isIn)
      expect(isInArea(place, { type: 'MultiPolygon', coordinates: [[ring], [square(20, 20, 1)]] })).toBe(isIn)
    }),
  )
})
