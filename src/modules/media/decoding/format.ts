import { fileTypeFromBuffer } from 'file-type'
import type { Refusal } from './decoded.ts'

const accepted = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

const refusedTypes: Record<string, Refusal> = {
  'image/heic': 'heic',
  'image/heif': 'heic',
  'image/heic-sequence': 'heic',
  'image/heif-sequence': 'heic',
  'image/tiff': 'tiff',
  'image/apng': 'animated',
}

/** Whether a file is a PDF, or at least begins as one. */
export const isPdf = (bytes: Uint8Array) => latin(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'

/** Decides by the bytes, never by the name, whether a file is a picture or PDF to decode. Returns why it is not, or null. */
export async function refusalOf(bytes: Uint8Array): Promise<Refusal | null> {
  if (isPdf(bytes)) return isPage(bytes) || isArchive(bytes) ? 'two_formats' : null
  const found = await fileTypeFromBuffer(bytes)
  if (found === undefined || found.mime === 'application/xml') return isSvg(bytes) ? 'svg' : 'unknown'
  const refused = refusedTypes[found.mime]
  if (refused !== undefined) return refused
  // Raw files of cameras are TIFF inside.
  if (/^image\/x-(adobe-dng|canon-cr|nikon-nef|sony-arw|panasonic-rw2)/.test(found.mime)) return 'tiff'
  if (!accepted.includes(found.mime)) return 'unknown'
  return isAnotherFormatToo(bytes) ? 'two_formats' : null
}

const latin = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const isSvg = (bytes: Uint8Array) => /<svg[\s>]/i.test(latin(bytes.subarray(0, 65_536)).toString('latin1'))

/** How far from the start a reader of PDF looks for its mark, and browsers for HTML. */
const startBytes = 1_024
/** The directory of a ZIP archive ends in the last bytes, before a comment. */
const endBytes = 65_557

/**
 * True for a picture that is a PDF, an archive or a page as well: nothing of that would survive, but whoever sends it wants
 * something else than to show a picture. Bytes behind the end of a picture alone are what phones write, and are dropped.
 */
function isAnotherFormatToo(bytes: Uint8Array): boolean {
  return startOf(bytes).includes('%PDF-') || isPage(bytes) || isArchive(bytes)
}

const startOf = (bytes: Uint8Array) => latin(bytes.subarray(0, startBytes)).toString('latin1')

const isPage = (bytes: Uint8Array) => /<(?:html|script|svg|\?php|!doctype html)\b/i.test(startOf(bytes))

const isArchive = (bytes: Uint8Array) =>
  latin(bytes.subarray(-endBytes)).includes('PK\x05\x06') && latin(bytes).includes('PK\x01\x02')
