import type { GuardedResponse } from './guarded-fetch.ts'

/**
 * The body as text, by the first that speaks: byte order mark, Content-Type, XML declaration. If none does,
 * it is UTF-8 when that is valid, and otherwise Windows-1252, which old exports use without saying so.
 */
export function readText({ body, headers }: Pick<GuardedResponse, 'body' | 'headers'>): string {
  const label = byteOrderMark(body) ?? declaredCharset(headers.get('content-type')) ?? xmlEncoding(body)
  const stated = label === undefined ? null : decoderFor(label)
  if (stated) return stated.decode(body)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
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
