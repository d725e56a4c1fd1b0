import { serialCache } from '../../platform/serial-cache.ts'
import { parseColor } from './color.ts'
import { type Drawing, horizonOf, type ShapeKind, shieldOf } from './horizon.ts'
import { paletteOf } from './palette.ts'
import type { Land } from './relief.ts'

/** Pictures of a town that has none: what other sites show with a link to it, and icons of its page on a device. */
export const painted = {
  'partage.png': { width: 1_200, height: 630 },
  'icone-180.png': { width: 180, height: 180 },
  'icone-192.png': { width: 192, height: 192 },
  'icone-512.png': { width: 512, height: 512 },
} as const
export type PaintedFile = keyof typeof painted

/** Some 20 kB each. */
const maxKept = 300

/** Returns what paints pictures. */
export function createPainter() {
  const kept = serialCache<Buffer>(maxKept)
  return (land: Land, color: string, file: PaintedFile): Promise<Buffer> =>
    kept(`${land.codeInsee} ${land.relief} ${color} ${file}`, () => paint(land, color, file))
}

async function paint(land: Land, color: string, file: PaintedFile): Promise<Buffer> {
  // Loaded at the first use: most starts need none of it.
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  return sharp(Buffer.from(pictureOf(land, color, file)))
    .png({ palette: true })
    .toBuffer()
}

/** The drawing as a file of its own. Phones cut an icon to a circle or a rounded square: the shield keeps away from the edge. */
export function pictureOf(land: Land, color: string, file: PaintedFile): string {
  const { width, height } = painted[file]
  const { light } = paletteOf(parseColor(color) ?? [0, 0, 0])
  const isIcon = file.startsWith('icone')
  const tall = height * (isIcon ? 0.62 : 0.36)
  const wide = (tall * 48) / 56
  const shield = svg(shieldOf(land), light, {
    x: (width - wide) / 2,
    y: (height - tall) * (isIcon ? 0.5 : 0.28),
    width: wide,
    height: tall,
  })
  const ground = isIcon
    ? `<path fill="${light.wash}" d="M0 0h${width}v${height}H0z"/>`
    : svg(horizonOf(land), light, { x: 0, y: 0, width, height })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}${shield}</svg>`
}

type Shades = ReturnType<typeof paletteOf>['light']
type Box = Record<'x' | 'y' | 'width' | 'height', number>

const svg = ({ width, height, shapes }: Drawing, shades: Shades, box: Box): string =>
  `<svg x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMax slice">${shapes
    .map(({ kind, path }) => `<path ${inkOf(kind, shades)} d="${path}"/>`)
    .join('')}</svg>`

/** As the stylesheet colours each kind of shape. */
function inkOf(kind: ShapeKind, { wash, far, mid, near, fill, deep }: Shades): string {
  const inks: Record<ShapeKind, string> = {
    z0: `fill="${wash}"`,
    z1: `fill="${far}"`,
    z2: `fill="${mid}"`,
    z3: `fill="${near}"`,
    z4: `fill="${fill}"`,
    z1s: `fill="${mid}" opacity=".4"`,
    z2s: `fill="${near}" opacity=".35"`,
    zs: 'fill="#fff"',
    zn: 'fill="#fff" opacity=".85"',
    zo: `fill="none" stroke="${deep}" stroke-width="2.5"`,
    zl: `fill="none" stroke="${wash}" stroke-width="2" opacity=".4"`,
  }
  return inks[kind]
}
