import { isUtf8 } from 'node:buffer'
import type { GuardedResponse } from './guarded-fetch.ts'

/**
 * Decodes the body with the first charset found in byte order mark, Content-Type and XML declaration. Without
 * one, uses UTF-8 if it is valid, otherwise Windows-1252, which old exports use without declaring it. With
 * `mendsUtf8`, invalid bytes of declared UTF-8 are decoded as Windows-1252, each separately.
 */
export function readText(
  { body, headers }: Pick<GuardedResponse, 'body' | 'headers'>,
  { mendsUtf8 = false } = {},
): string {
  const label = byteOrderMark(body) ?? declaredCharset(headers.get('content-type')) ?? xmlEncoding(body)
  const stated = label === undefined ? null : decoderFor(label)
  if (stated?.encoding === 'utf-8' && mendsUtf8) return mendedUtf8(body)
  if (stated) return stated.decode(body)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}

/** Windows-1252 character of each byte. */
const windows1252 = [
  ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
]

/** Replaces C1 controls, which programs that mistake Windows-1252 for Latin-1 write: U+0092 becomes ’. */
export const controlsAsWindows1252 = (text: string): string =>
  text.replaceAll(/[\u0080-\u009f]/g, (sign) => windows1252[sign.charCodeAt(0)] ?? '')

function mendedUtf8(body: Buffer): string {
  if (isUtf8(body)) return new TextDecoder().decode(body)
  // No Windows-1252 character takes more than three bytes in UTF-8.
  const mended = Buffer.allocUnsafe(3 * body.length)
  let length = 0
  for (let at = 0; at < body.length; ) {
    const size = sequenceSize(body, at)
    length +=
      size > 0
        ? body.copy(mended, length, at, at + size)
        : mended.write(windows1252[body[at] ?? 0] ?? '', length)
    at += Math.max(size, 1)
  }
  return new TextDecoder().decode(mended.subarray(0, length))
}

/** Returns the size of the UTF-8 character at this position; 0 if it is not valid. */
function sequenceSize(body: Buffer, at: number): number {
  const first = body[at] ?? 0
  if (first < 0x80) return 1
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  return isUtf8(body.subarray(at, at + size)) && at + size <= body.length ? size : 0
}

function byteOrderMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return undefined
}

function declaredCharset(contentType: string | undefined): string | undefined {
  return contentType?.match(/;\s*charset\s*=\s*"?([\w.:-]+)/i)?.[1]
}

function xmlEncoding(body: Buffer): string | undefined {
  const head = body.toString('latin1', 0, 200)
  return head.match(/^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/)?.[1]
}

function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}
