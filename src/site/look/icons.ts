import { crc32, deflateSync } from 'node:zlib'
import { parseColor } from './color.ts'

/** The sign of the site, a house, on a square of 32 × 32. */
const corners = [
  [7, 24],
  [7, 13],
  [16, 7],
  [25, 13],
  [25, 24],
  [19, 24],
  [19, 17],
  [13, 17],
  [13, 24],
] as const
/** The same as the path of an SVG. */
export const outline = `M${corners.map((corner) => corner.join(' ')).join('L')}z`

const side = 32
/** Of each pixel, in both directions: edges are smooth. */
const samples = 4

/** Of an iPhone, of a home screen, of a start screen. */
export type IconSize = 180 | 192 | 512

/** Icons of the installed site. */
export const installed = [
  { path: '/icone-192.png', size: 192 },
  { path: '/icone-512.png', size: 512 },
] as const

/** Of three sizes, each in the colour of the platform and of as many domains. */
const maxDrawn = 300

/** Returns icons of the site in a colour, each drawn at its first request. */
export function iconDrawer(): (color: string, size: IconSize) => Buffer {
  const drawn = new Map<string, Buffer>()
  return (color, size) => {
    const name = `${color} ${size}`
    const icon = drawn.get(name) ?? drawIcon(color, size)
    if (drawn.size >= maxDrawn) drawn.clear()
    drawn.set(name, icon)
    return icon
  }
}

/**
 * Draws the icon in the colour of the site as a PNG without transparency, which phones fill with black. They cut it to a circle or a
 * rounded square: the house keeps away from the edge.
 */
function drawIcon(color: string, size: number): Buffer {
  const ground = parseColor(color) ?? [0, 0, 0]
  const rowBytes = 1 + 3 * size
  const pixels = Buffer.alloc(rowBytes * size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const share = coverage(x, y, size)
      for (const [part, value] of ground.entries())
        pixels[y * rowBytes + 1 + 3 * x + part] = Math.round(value + (255 - value) * share)
    }
  return png(size, pixels)
}

/** Returns how much of a pixel the house covers, from 0 to 1. */
function coverage(x: number, y: number, size: number): number {
  const scale = side / size
  // Most pixels are far from the house.
  if (y * scale < 6 || y * scale > 25) return 0
  let inside = 0
  for (let sample = 0; sample < samples * samples; sample++) {
    const dx = ((sample % samples) + 0.5) / samples
    const dy = (Math.floor(sample / samples) + 0.5) / samples
    if (isInside((x + dx) * scale, (y + dy) * scale)) inside++
  }
  return inside / (samples * samples)
}

/** Counts the edges to the right of a point: an odd number is inside. */
function isInside(x: number, y: number): boolean {
  let inside = false
  for (const [index, [fromX, fromY]] of corners.entries()) {
    const [toX, toY] = corners[(index + 1) % corners.length] ?? corners[0]
    if (fromY > y !== toY > y && x < fromX + ((toX - fromX) * (y - fromY)) / (toY - fromY)) inside = !inside
  }
  return inside
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** Encodes rows of RGB, each after a byte that names no filter. */
function png(size: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
