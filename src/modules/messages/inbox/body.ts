import PostalMime, { type Attachment as Part } from 'postal-mime'
import sanitizeHtml from 'sanitize-html'
import { cleanLine, cleanText } from '../../../platform/formats/clean-text.ts'
import { clip } from '../../../platform/formats/text.ts'
import { maxBody } from '../schema.ts'
import { type Folded, foldQuote } from './fold.ts'

export type Attachment = { nom: string; type: string; bytes: number }
/** What a server says of a mail that it could not deliver, and the Message-ID of that mail. */
export type Report = { hasFailed: boolean; error: string; messageId: string | null }
export type Body = Folded & { attachments: Attachment[]; report: Report | null }

const maxQuoted = 50_000
const maxAttachments = 50
/** More takes long to read, and nobody writes so much. */
const maxText = 500_000

/** Reads the text of a mail and what is attached, without opening it. Throws if the mail is no valid one. */
export async function readBody(source: Uint8Array): Promise<Body> {
  const mail = await PostalMime.parse(source, { forceRfc822Attachments: true, maxNestingDepth: 50 })
  const text = cleanText((mail.text?.trim() ? mail.text : textOf(mail.html ?? '')).slice(0, maxText))
  const { said, quoted } = foldQuote(text)
  const rest = said.slice(clip(said, maxBody).length)
  const more = [rest, quoted ?? ''].filter((part) => part.trim() !== '').join('\n\n')
  return {
    said: clip(said, maxBody),
    quoted: more === '' ? null : clip(more, maxQuoted),
    attachments: mail.attachments.slice(0, maxAttachments).map(describe),
    report: reportIn(mail.attachments),
  }
}

function describe({ filename, mimeType, content }: Part): Attachment {
  const bytes = typeof content === 'string' ? content.length : content.byteLength
  return { nom: clip(cleanLine(filename ?? ''), 200), type: clip(cleanLine(mimeType), 100), bytes }
}

const quoteStarts = /<blockquote\b|<div\b[^>]*(?:gmail_quote|divRplyFwdMsg|yahoo_quoted|moz-cite-prefix)/gi
const lineEnds = /<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6])\b/gi

/** The text of HTML, line by line, with a sign for what is quoted, which `foldQuote` understands. */
function textOf(html: string): string {
  const marked = html
    .slice(0, maxText)
    .replace(/\s+/g, ' ')
    .replace(quoteStarts, '\n----- Message d’origine -----\n$&')
    .replace(lineEnds, '\n$&')
  return sanitizeHtml(marked, { allowedTags: [], allowedAttributes: {}, nestingLimit: 50 })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
}

function reportIn(parts: Part[]): Report | null {
  const status = parts.find(({ mimeType }) => /^message\/(global-)?delivery-status$/.test(mimeType))
  if (status === undefined) return null
  const returned = parts.find(({ mimeType }) =>
    /^(?:message\/rfc822|text\/rfc822-headers|message\/global)/.test(mimeType),
  )
  const fields = contentOf(status).replace(/\r?\n[ \t]+/g, ' ')
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(fields)?.[1]?.trim() ?? ''
  const head = returned === undefined ? '' : contentOf(returned).replace(/\r?\n[ \t]+/g, ' ')
  return {
    hasFailed: /^failed$/i.test(field('Action')),
    error: [field('Status'), field('Diagnostic-Code').replace(/^\w+;\s*/, '')].filter(Boolean).join(' '),
    messageId: /^Message-ID:\s*(<[^<>\s]+>)/im.exec(head)?.[1] ?? null,
  }
}

/** The beginning, which has the fields. */
const contentOf = ({ content }: Part): string =>
  typeof content === 'string'
    ? content.slice(0, 100_000)
    : Buffer.from(content as ArrayBuffer)
        .subarray(0, 100_000)
        .toString()
