import { setPriority } from 'node:os'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { dropPermission } from '../../../platform/confined-process.ts'
import { limitMemory } from '../../../platform/memory-limit.ts'
import { maxPixels } from '../limits.ts'
import { type Decoded, formats, maxHeightRatio, type Refusal, type Reply, widths } from './decoded.ts'
import { readDocument, refusalOfDocument } from './document.ts'
import { isPdf, refusalOf } from './format.ts'

/**
 * The process that decodes: it alone parses what strangers send. It has no secrets and no database, handles one file at a
 * time, and ends itself when a file takes too much memory. It ends with the service, which closes the channel.
 */

const maxMemoryBytes = 600 * 2 ** 20

// Requests go first, on one core too.
setPriority(10)
sharp.concurrency(1)
sharp.cache(false)
// Libvips reads formats that nobody has checked for years; these alone are accepted.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`),
})

limitMemory(maxMemoryBytes)
// Sharp is loaded.
dropPermission('addon')

process.on('disconnect', () => process.exit())
process.on('message', (bytes: Uint8Array) => {
  decode(bytes)
    .then(reply, (error) => reply({ broken: String(error) }))
    // The bytes of pictures are outside the heap, so that nothing else makes Node free them in time.
    .finally(() => globalThis.gc?.())
})
reply({ ready: true })

function reply(message: Reply): void {
  process.send?.(message)
}

async function decode(bytes: Uint8Array): Promise<Reply> {
  const refused = await refusalOf(bytes)
  if (refused !== null) return { refused }
  return isPdf(bytes) ? decodeDocument(bytes) : decodePicture(bytes)
}

async function decodePicture(bytes: Uint8Array): Promise<Reply> {
  const refused = await refusalOfPicture(bytes)
  if (refused !== null) return { refused }
  try {
    return { decoded: await encode(open(bytes)) }
  } catch {
    return { refused: 'damaged' }
  }
}

/** Of a document the first page becomes a picture. */
async function decodeDocument(bytes: Uint8Array): Promise<Reply> {
  const refused = refusalOfDocument(bytes)
  if (refused !== null) return { refused }
  const read = await readDocument(bytes)
  if ('refused' in read) return read
  const { page, ...document } = read
  const { data, width, height } = page
  // A page is opaque: without transparency it takes a quarter less memory.
  const picture = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha()
  return { decoded: { ...(await encode(picture)), document } }
}

const open = (bytes: Uint8Array) =>
  sharp(bytes, { failOn: 'warning', limitInputPixels: maxPixels, sequentialRead: true })

async function refusalOfPicture(bytes: Uint8Array): Promise<Refusal | null> {
  let metadata: Metadata
  try {
    // Without a limit, so that the reason can be told: this reads the header alone.
    metadata = await sharp(bytes, { failOn: 'none', limitInputPixels: false }).metadata()
  } catch {
    return 'damaged'
  }
  if (metadata.width * metadata.height > maxPixels) return 'too_many_pixels'
  return (metadata.pages ?? 1) > 1 ? 'animated' : null
}

/** Turns a picture upright, converts it to sRGB and encodes its variants anew: nothing but its pixels survives. */
async function encode(picture: Sharp): Promise<Decoded> {
  const largest = widths[widths.length - 1] as number
  const { data, info } = await picture
    .autoOrient()
    .resize({
      ...{ width: largest, height: maxHeightRatio * largest },
      fit: 'inside',
      withoutEnlargement: true,
    })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const wanted = widths.filter((_, index) => index === 0 || (widths[index - 1] as number) < width)
  const variants: Decoded['variants'] = []
  for (const each of wanted) {
    // Resized once for all formats.
    const resized = await sharp(data, { raw: { width, height, channels } })
      .resize({ width: each, withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true })
    for (const format of formats) {
      const picture = sharp(resized.data, { raw: resized.info })
      variants.push({ width: each, format, content: await encoders[format](picture, each).toBuffer() })
    }
  }
  return { width, height, variants }
}

/** AVIF takes most of the time: at 1600 px effort 1 would take three times as long as 0, for files of the same size. */
const encoders: Record<(typeof formats)[number], (picture: Sharp, width: number) => Sharp> = {
  avif: (picture, width) =>
    picture.avif({ quality: 50, effort: width > 800 ? 0 : 1, chromaSubsampling: '4:2:0' }),
  webp: (picture) => picture.webp({ quality: 75, effort: 3 }),
  // Without transparency: what shows through is white.
  jpeg: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 78, progressive: true }),
}
