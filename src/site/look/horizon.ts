import { randomOf } from './random.ts'
import type { Land, Relief } from './relief.ts'

/**
 * Draws the land of a commune as a small SVG, the same for ever for the same INSEE code: an ornament, never said to be the
 * real view. Its shapes name the colours of the town by classes (`z0`, the sky, to `z4`, the near ground), so that it
 * follows the dark scheme.
 */
export type Drawing = { width: number; height: number; shapes: readonly Shape[] }
export type Shape = { kind: ShapeKind; path: string }
/** `sun` and `snow` are white; `light` and `shade` are laid over the land. */
export type ShapeKind = 'z0' | 'z1' | 'z2' | 'z3' | 'z4' | 'z1s' | 'z2s' | 'zs' | 'zn' | 'zl' | 'zo'

type Point = readonly [x: number, y: number]
type Random = () => number
const [width, height] = [1_200, 300]
const round = Math.round

export function horizonOf({ codeInsee, relief }: Land): Drawing {
  const random = randomOf(codeInsee)
  const sky = shape('z0', `M0 0h${width}v${height}H0z`)
  return { width, height, shapes: [sky, ...lands[relief](random)] }
}

const lands: Record<Relief, (random: Random) => Shape[]> = {
  montagne: mountains,
  mer: sea,
  colline: (random) => fields(random, hills),
  plaine: (random) => fields(random, plain),
}

/** The near line alone: the edge of the foot. */
export function edgeOf({ codeInsee, relief }: Land): Drawing {
  const random = randomOf(`bord ${codeInsee}`)
  const [swell, count] = edges[relief]
  const points = relief === 'montagne' ? peaks(random, 38, 36, 20) : rolling(random, 30, swell, count)
  return { width, height: 48, shapes: [shape('z4', `${smooth(points)}V48H0z`)] }
}
const edges: Record<Relief, readonly [swell: number, count: number]> = {
  montagne: [0, 0],
  colline: [13, 14],
  plaine: [4, 14],
  mer: [6, 28],
}

/** The same land on a shield, in place of arms. */
export function shieldOf({ codeInsee, relief }: Land): Drawing {
  const random = randomOf(`ecu ${codeInsee}`)
  const tenth = (value: number) => Math.round(value * 10) / 10
  const between = (least: number, more: number) => tenth(least + more * random())
  const outline = 'M2 2h44v27q0 19-22 25Q2 48 2 29z'
  const [sunX, left, right] = [between(14, 20), between(24, 5), between(22, 8)]
  const rise = relief === 'montagne' ? between(8, 6) : between(2, 5)
  const foot = 'V31q0 3-1.5 6H3.5Q2 33 2 29z'
  const far = {
    montagne: `M2 ${left}L${between(9, 4)} ${tenth(left - rise)}l6 ${tenth(rise * 0.7)}L${between(27, 6)} ${tenth(right - rise)}L46 ${tenth(left + 3)}${foot}`,
    mer: `M2 ${left}H46${foot}`,
    colline: `M2 ${left}Q${between(10, 6)} ${tenth(left - rise)} 24 ${right}T46 ${tenth(left - 1)}${foot}`,
    plaine: `M2 ${left}Q${between(10, 6)} ${tenth(left - rise / 2)} 24 ${tenth(left - 1)}T46 ${tenth(left - 1)}${foot}`,
  }[relief]
  return {
    width: 48,
    height: 56,
    shapes: [
      shape('z0', outline),
      shape('zs', disc(sunX, tenth(left - 9), 4.5)),
      shape('z2', far),
      shape('z4', `M2 33Q14 ${between(28, 4)} 26 34T45.7 33q-2 15-21.7 21Q4 49 2 33z`),
      shape('zo', outline),
    ],
  }
}

const shape = (kind: ShapeKind, path: string): Shape => ({ kind, path })
const layer = (kind: ShapeKind, line: string) => shape(kind, `${line}V${height}H0z`)
const disc = (x: number, y: number, radius: number) =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`

function mountains(random: Random): Shape[] {
  const shapes = [sunOf(random, round(62 + 30 * random()))]
  const ranges = [
    { kind: 'z1', lit: 'z1s', y: 190, rise: 128, count: 8 },
    { kind: 'z2', lit: 'z2s', y: 232, rise: 120, count: 10 },
  ] as const
  for (const { kind, lit, y, rise, count } of ranges) {
    const points = peaks(random, y, rise, count)
    const { shade, snow } = sides(random, points)
    shapes.push(layer(kind, straight(points)), shape(lit, shade))
    if (kind === 'z1' || random() > 0.4) shapes.push(shape('zn', snow))
  }
  shapes.push(layer('z3', smooth(rolling(random, 256, 16, 14))))
  shapes.push(layer('z4', smooth(rolling(random, 280, 9, 12))))
  return shapes
}

/** The side of each peak that has no sun, and its snow. */
function sides(random: Random, points: readonly Point[]) {
  let [shade, snow] = ['', '']
  for (let at = 1; at < points.length - 1; at += 2) {
    const [[left, leftFoot], [x, top], [right, rightFoot]] = [
      points[at - 1] as Point,
      points[at] as Point,
      points[at + 1] as Point,
    ]
    const deep = 0.36 + 0.2 * random()
    shade += path`M${x} ${top}L${right} ${rightFoot}V${height}L${x - 12} ${height}L${x + 14} ${top + (rightFoot - top) * 0.5}z`
    const [a, b] = [x + (left - x) * deep * 0.8, top + (leftFoot - top) * deep * 0.8]
    const [c, d] = [x + (right - x) * deep, top + (rightFoot - top) * deep]
    snow += path`M${x} ${top}L${a} ${b}L${x - 8} ${top + (b - top) * 0.62}L${x + 6} ${d + 4}L${x + (c - x) * 0.55} ${top + (d - top) * 0.66}L${c} ${d}z`
  }
  return { shade, snow }
}

function sea(random: Random): Shape[] {
  const level = round(150 + 20 * random())
  const sun = sunOf(random, level - round(4 + 26 * random()))
  const isLeft = random() > 0.5
  const coast = rolling(random, level - 8, 12, 12).map(([x, y]): Point => {
    const away = isLeft ? x / width : 1 - x / width
    return [x, Math.min(level + 4, y + 46 * Math.max(0, away - 0.38))]
  })
  const water = shape('z2', `M0 ${level}h${width}V${height}H0z`)
  let waves = ''
  for (let row = 0; row < 9; row++) {
    const y = level + 10 + row * row * 1.9
    for (let at = 0; at < 7 - row * 0.4; at++)
      waves += path`M${random() * width} ${y}h${36 + row * 12 * random()}`
  }
  const [reach, top] = [300 + 160 * random(), 150 + 40 * random()]
  const cliffs = [
    shape('z3', cliff(random, isLeft, top, reach)),
    shape('z4', cliff(random, isLeft, top + 60, reach * 0.62)),
  ]
  const island = random() < 0.6 ? [shape('z3', islandAt(random, isLeft, level))] : []
  return [sun, layer('z1', smooth(coast)), water, ...island, shape('zl', waves), ...cliffs]
}

function cliff(random: Random, isLeft: boolean, top: number, reach: number): string {
  const [steps, way, edge] = [5, isLeft ? 1 : -1, isLeft ? 0 : width]
  const rise = (height - top) / steps
  let line = path`M${edge} ${top}`
  for (let at = 0; at < steps; at++) {
    const [across, down] = [way * (reach / steps) * (0.5 + random()), rise * (0.1 + 0.2 * random())]
    const [further, fall] = [way * (8 + 16 * random()), rise * (0.75 + 0.3 * random())]
    line += path`q${across * 0.6} 0 ${across} ${down}l${further} ${fall}`
  }
  return `${line}V${height}H${edge}z`
}

function islandAt(random: Random, isLeft: boolean, level: number): string {
  const x = width * (isLeft ? 0.62 + 0.25 * random() : 0.12 + 0.25 * random())
  const long = 60 + 70 * random()
  return path`M${x} ${level + 9}q${long * 0.2} ${-(20 + 14 * random())} ${long * 0.45} ${-(16 + 8 * random())}t${long * 0.55} 26z`
}

type Ground = {
  level: number
  far: readonly [down: number, swell: number]
  middle: readonly [down: number, swell: number]
  hedge: readonly [down: number, swell: number]
  near: readonly [down: number, swell: number]
  poplars: { share: number; down: number }
  /** Where furrows or vines meet, how many there are, and how near to it they begin. */
  furrows: { down: number; count: number; begin: number; wave: number }
}
const hills: Ground = {
  level: 150,
  far: [-14, 44],
  middle: [46, 30],
  hedge: [52, 18],
  near: [86, 18],
  poplars: { share: 0.35, down: 64 },
  furrows: { down: 62, count: 20, begin: 0.42, wave: 10 },
}
const plain: Ground = {
  level: 166,
  far: [0, 7],
  middle: [18, 5],
  hedge: [22, 3],
  near: [44, 4],
  poplars: { share: 0.6, down: 30 },
  furrows: { down: 34, count: 20, begin: 0.16, wave: 0 },
}

function fields(random: Random, ground: Ground): Shape[] {
  const { level, furrows } = ground
  const line = ([down, swell]: readonly [number, number], count: number) =>
    rolling(random, level + down, swell, count)
  const shapes = [
    sunOf(random, round(level - 20 - 50 * random())),
    layer('z1', smooth(line(ground.far, 14))),
    layer('z2', smooth(line(ground.middle, 12))),
    shape('z3', hedgeOf(random, line(ground.hedge, 90))),
  ]
  if (random() < ground.poplars.share) shapes.push(shape('z3', poplars(random, level + ground.poplars.down)))
  shapes.push(layer('z3', smooth(line(ground.near, 12))))
  const [x, y] = [width * (0.25 + 0.5 * random()), level + furrows.down]
  shapes.push(shape('zl', furrowsTo(x, y, furrows)), layer('z4', smooth(rolling(random, 286, 8, 10))))
  if (random() < 0.45) shapes.push(shape('z0', river(x + 120 * (random() - 0.5), y)))
  return shapes
}

/** Round trees along a line, in two rows. */
function hedgeOf(random: Random, line: readonly Point[]): string {
  const first = round(10 + 40 * random())
  const last = first + 18 + round(24 * random())
  let dots = ''
  for (const [at, [x, y]] of line.entries()) {
    const isIn = (at > first && at < last) || (at > last + 8 && at < last + 22)
    if (!isIn || random() <= 0.16) continue
    const size = 3 + 5 * random()
    dots += path`M${x} ${y - size}a${size} ${size * 1.2} 0 1 0 1 0z`
  }
  return dots
}

function poplars(random: Random, y: number): string {
  const [first, count, step] = [width * (0.08 + 0.6 * random()), 5 + round(6 * random()), 15 + 8 * random()]
  let trees = ''
  for (let at = 0; at < count; at++) {
    const [tall, wide] = [34 + 22 * random(), 4 + 2 * random()]
    trees += path`M${first + at * step} ${y}c${-wide} ${-tall * 0.4} ${-wide} ${-tall * 0.8} 0 ${-tall}c${wide} ${tall * 0.2} ${wide} ${tall * 0.6} 0 ${tall}z`
  }
  return trees
}

function furrowsTo(x: number, y: number, { count, begin, wave }: Ground['furrows']): string {
  let lines = ''
  for (let at = -count; at <= count; at++) {
    const end = x + at * 78
    const [startX, startY] = [x + (end - x) * begin, y + (height - y) * begin + wave * Math.sin(at)]
    const [bendX, bendY] = [x + (end - x) * 0.6, y + (height - y) * 0.55]
    if (startX > 0 && startX < width) lines += path`M${startX} ${startY}Q${bendX} ${bendY} ${end} ${height}`
  }
  return lines
}

const river = (x: number, y: number): string =>
  path`M${x} ${y + 10}C${x + 90} ${y + 30} ${x - 150} ${y + 44} ${x - 40} ${y + 66}S${x + 170} ${height - 24} ${x + 40} ${height}h-150C${x + 30} ${height - 30} ${x - 210} ${y + 80} ${x - 120} ${y + 60}S${x + 50} ${y + 26} ${x} ${y + 10}z`

function sunOf(random: Random, y: number): Shape {
  return shape('zs', disc(round(width * (0.2 + 0.6 * random())), y, round(26 + 16 * random())))
}

/** The points of a line of gentle waves. */
function rolling(random: Random, y: number, swell: number, count: number): Point[] {
  const [first, second, pace] = [random() * 6, random() * 6, 0.7 + random() * 0.8]
  return Array.from({ length: count + 1 }, (_, at) => {
    const along = at / count
    const wave = 0.6 * Math.sin(along * 5 * pace + first) + 0.4 * Math.sin(along * 11 * pace + second)
    return [along * width, y - swell * wave]
  })
}

/** The points of a range: feet and tops in turn. */
function peaks(random: Random, y: number, rise: number, count: number): Point[] {
  return Array.from({ length: count + 1 }, (_, at) => {
    const aside = at > 0 && at < count ? (random() - 0.5) * 0.55 : 0
    const isTop = at % 2 === 1
    return [
      (at + aside) * (width / count),
      isTop ? y - rise * (0.45 + 0.55 * random()) : y + rise * 0.16 * random(),
    ]
  })
}

const straight = (points: readonly Point[]) =>
  `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`

/** A curve through the middles between points. */
function smooth(points: readonly Point[]): string {
  let line = path`M0 ${points[0]?.[1] ?? 0}`
  for (let at = 1; at < points.length - 1; at++) {
    const [[x, y], [nextX, nextY]] = [points[at] as Point, points[at + 1] as Point]
    line += path`Q${x} ${y} ${(x + nextX) / 2} ${(y + nextY) / 2}`
  }
  return `${line}${path`L${width} ${points.at(-1)?.[1] ?? 0}`}`
}

/** A path whose numbers are whole. */
function path(strings: TemplateStringsArray, ...numbers: number[]): string {
  return strings.map((text, at) => `${text}${at < numbers.length ? round(numbers[at] ?? 0) : ''}`).join('')
}
