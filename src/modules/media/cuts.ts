import type { Sharp } from 'sharp'
import { serialCache } from '../../platform/serial-cache.ts'

/**
 * A picture in the shape that places outside the site want: other sites that share a page, home screens of phones. It is made from
 * the largest JPEG that is stored, which the decoder wrote, when somebody asks for it, and not stored.
 */
type Cut = { type: 'image/jpeg' | 'image/png'; of(picture: Sharp): Sharp }

const shared = { width: 1_200, height: 630 }
const white = '#fff'

/** The whole picture on a white ground; `share`: how much of the shape it fills. */
function whole(picture: Sharp, { width, height }: typeof shared, share = 1): Sharp {
  const [across, down] = [width, height].map((side) => Math.round((side * (1 - share)) / 2)) as [
    number,
    number,
  ]
  return picture
    .resize({ width: width - 2 * across, height: height - 2 * down, fit: 'contain', background: white })
    .extend({ left: across, right: across, top: down, bottom: down, background: white })
}

const jpeg = (picture: Sharp) => picture.jpeg({ quality: 78, progressive: true })

/** Phones cut an icon to a circle or a rounded square: the picture keeps away from the edge. */
const icon = (size: number): Cut => ({
  type: 'image/png',
  of: (picture) => whole(picture, { width: size, height: size }, 0.72).png(),
})

/** By the last part of their address. */
export const cuts = {
  /** The part that draws the eye. */
  'partage.jpg': {
    type: 'image/jpeg',
    of: (picture) => jpeg(picture.resize({ ...shared, fit: 'cover', position: 'attention' })),
  },
  /** For logos and arms, of which nothing may be cut off. */
  'partage-entier.jpg': { type: 'image/jpeg', of: (picture) => jpeg(whole(picture, shared, 0.8)) },
  'icone-180.png': icon(180),
  'icone-192.png': icon(192),
  'icone-512.png': icon(512),
} as const satisfies Record<string, Cut>
export type CutFile = keyof typeof cuts

export const isCut = (file: string): file is CutFile => Object.hasOwn(cuts, file)

/** Some 100 kB each. */
const maxKept = 200

/** Returns what cuts pictures. `read`: the picture, which `sha256` names. */
export function createCutter() {
  const kept = serialCache<Buffer>(maxKept)
  return (sha256: string, file: CutFile, read: () => Promise<Buffer>): Promise<Buffer> =>
    kept(`${sha256} ${file}`, async () => cut(file, await read()))
}

async function cut(file: CutFile, content: Buffer): Promise<Buffer> {
  // Loaded at the first use: a service without pictures needs none of it.
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return cuts[file].of(sharp(content)).toBuffer()
}
