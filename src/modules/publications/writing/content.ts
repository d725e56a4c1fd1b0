import sanitizeHtml from 'sanitize-html'
import { invalid, type Problem, type Text, validationFailed } from '../../../platform/errors.ts'
import { tidy } from '../../../platform/text.ts'
import { type Content, contentNames, maxBody, maxKeptBody, maxTitle } from '../schema.ts'
import { tooMuchMarkup } from './markup.ts'
import type { PublicationCreate } from './schema.ts'

type Given = Partial<Pick<PublicationCreate, keyof Content | 'titre'>>

/** The content of what has more to it. */
export const contentOf = (publication: Content): Content => pick(publication) as Content

/** The fields that were given, clean; refused with all that is wrong with them at once. */
export function cleanContent({ titre, ...given }: Given): Partial<Content> {
  const problems: Problem[] = []
  const content = pick(given)
  const title = given.title ?? titre
  if (given.title !== undefined && titre !== undefined && titre !== given.title) {
    problems.push({ field: 'titre', message: messages.twoTitles })
  }
  if (title !== undefined) {
    content.title = cleanTitle(title)
    problems.push(...lengthProblems('title', content.title, maxTitle))
  }
  if (given.body !== undefined) {
    const costly = costlyBody(given.body)
    if (costly === null) {
      content.body = sanitizeBody(given.body)
      const written = shorter(given.body, asWritten(content.body))
      problems.push(...lengthProblems('body', written, maxBody, withoutTags(content.body)))
      if (content.body.length > maxKeptBody) problems.push({ field: 'body', message: messages.keptLong })
    } else problems.push({ field: 'body', message: costly })
  }
  for (const field of ['source_url', 'image_url'] as const) {
    if (given[field] === undefined) continue
    // A blank address is none.
    const url = given[field]?.trim() || null
    if (url !== null && !isWebUrl(url)) problems.push({ field, message: messages.url })
    content[field] = url
  }
  if (problems.length > 0) throw validationFailed(problems)
  return content
}

/** All of a publication's content: title and body are there, and its days are in order. */
export function completeContent(content: Partial<Content>): Content {
  const { title, body, date_debut, date_fin } = content
  if (title === undefined) throw invalid('title', messages.required)
  if (body === undefined) throw invalid('body', messages.required)
  if (date_debut && date_fin && date_fin < date_debut) throw invalid('date_fin', messages.order)
  return { ...nothing, ...content, title, body }
}

const nothing = Object.fromEntries(contentNames.map((name) => [name, null])) as Record<keyof Content, null>

const pick = (content: Partial<Content>): Partial<Content> =>
  Object.fromEntries(
    contentNames.flatMap((name) => (content[name] === undefined ? [] : [[name, content[name]]])),
  )

/** Why a body is not worth reading; null when it is. */
function costlyBody(given: string): Text | null {
  // Longer than what is kept, or of signs that each become four characters.
  if (given.length > 2 * maxKeptBody) return messages.long(maxBody)
  if (countOf('<', given) > maxKeptBody / 4) return messages.keptLong
  return tooMuchMarkup(given)
}

/**
 * The HTML that may be shown as it is. Text without tags comes out as the HTML that says the same: a lone `<` or `&` is
 * escaped, never the start of a tag that swallows what follows. What came out once stays as it is.
 */
export function sanitizeBody(given: string): string {
  const text = tidy(given).replaceAll(/\r\n?/g, '\n')
  const marked = text.replace(/<(?!!--|!doctype|\/?[a-z][a-z0-9-]*(?::[a-z]+)?(?=[\s/>])[^<>]*>)/gi, '&lt;')
  // The end of a block that is not kept still ends a line.
  const broken = marked.replace(/<\/(?:div|section|article|header|footer|tr|table|pre)\s*>/gi, '\n')
  return cleanUntilStable(cleanHtml(broken))
}

/** Tags that were nested through one that is not kept are closed otherwise when read again: until nothing changes. */
function cleanUntilStable(html: string): string {
  let stable = html
  if (!html.includes('<')) return html
  for (let pass = 0; pass < 5; pass++) {
    const again = cleanHtml(stable)
    if (again === stable) break
    stable = again
  }
  return stable
}

/** Entities that stood for controls have become them: tidied again. */
const cleanHtml = (html: string) => tidy(sanitizeHtml(html, subset)).trim()

export function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s<>"`\\\p{C}]+$/iu.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const rel = 'nofollow noopener noreferrer'
const subset: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'a', 'ul', 'ol', 'li', 'strong', 'b', 'em', 'i', 'u', 'h2', 'h3', 'h4'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'template',
    'title',
    'iframe',
    'svg',
    'math',
  ],
  nestingLimit: 20,
  transformTags: {
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (tagName, { href = '' }) => ({
      tagName,
      attribs: { href: href.trim(), rel },
    }),
  },
  // A link that may not be followed leaves its words.
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'a' && !isWebUrl(attribs.href ?? '') ? 'excludeTag' : false,
}

/** On one line, as people write it. */
const cleanTitle = (title: string) => tidy(title).replaceAll(/\s+/g, ' ').trim()

/** Without what sanitizing adds: a body is as long as its author made it, also when it is sent back. */
const asWritten = (html: string) =>
  html
    .replaceAll(/&(?:amp|lt|gt|quot);/g, '&')
    .replaceAll('<br />', '<br>')
    .replaceAll(` rel="${rel}"`, '')

const countOf = (sign: string, text: string) => text.split(sign).length - 1

const shorter = (text: string, other: string) => (text.length < other.length ? text : other)

const withoutTags = (html: string) => html.replaceAll(/<[^>]*>/g, '')

function lengthProblems(field: string, text: string, max: number, shown = text): Problem[] {
  if (!/[^\p{Z}\p{C}\s]/u.test(shown)) return [{ field, message: messages.empty }]
  // As the database counts: code points.
  if (text.length > max && [...text].length > max) return [{ field, message: messages.long(max) }]
  return []
}

const messages = {
  required: { en: 'is required', fr: 'est requis' },
  empty: { en: 'must not be empty', fr: 'ne doit pas être vide' },
  long: (max: number): Text => ({
    en: `must have at most ${max} character(s)`,
    fr: `doit avoir au plus ${max} caractère(s)`,
  }),
  keptLong: {
    en: `must have at most ${maxKeptBody} characters as HTML, where &lt; stands for <`,
    fr: `doit avoir au plus ${maxKeptBody} caractères en HTML, où &lt; tient lieu de <`,
  },
  url: { en: 'must be an http or https address', fr: 'doit être une adresse http ou https' },
  order: { en: 'must not be before date_debut', fr: 'ne doit pas précéder date_debut' },
  twoTitles: { en: 'must be the same as title', fr: 'doit être identique à title' },
}
