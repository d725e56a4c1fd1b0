import { isUtf8 } from 'node:buffer'
import type { GuardedResponse } from './guarded-fetch.ts'

/**
 * The body as text, by the first that speaks: byte order mark, Content-Type, XML declaration. If none does,
 * it is UTF-8 when that is valid, and otherwise Windows-1252, which old exports use without saying so. With `mendsUtf8`,
 * bytes that are no UTF-8 in a text that says it is are read as Windows-1252, each by itself.
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

/** Each byte as Windows-1252 has it. */
const windows1252 = [
  ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
]

/** Programs that take Windows-1252 for Latin-1 write its signs as controls: ’ as U+0092. */
export const controlsAsWindows1252 = (text: string): string =>
  text.replaceAll(/[\u0080-\u009f]/g, (sign) => windows1252[sign.charCodeAt(0)] ?? '')

function mendedUtf8(body: Buffer): string {
  if (isUtf8(body)) return new TextDecoder().decode(body)
  // No sign takes more than three bytes.
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

/** Bytes of the UTF-8 character that begins here; 0 where none does. */
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
