import sanitizeHtml from 'sanitize-html'
import { invalid, type Problem, type Text, validationFailed } from '../../../platform/errors.ts'
import { lineOrNull, textProblems, tooLong } from '../../../platform/formats/clean-text.ts'
import { tidy } from '../../../platform/formats/text.ts'
import { isOwnPicture } from '../../media/images.ts'
import {
  contentNames,
  type Field,
  maxBody,
  maxLine,
  maxStoredBody,
  maxTitle,
  namesOf,
  publicationFields,
} from '../fields.ts'
import { recurrenceProblems } from '../recurrence.ts'
import type { Content } from '../schema.ts'
import { separateBlocks } from './blocks.ts'
import type { When } from './hours.ts'
import { cleanLieu, lieuProblems } from './lieu.ts'
import { nonTextTags, tooMuchMarkup } from './markup.ts'
import { cleanRecurrence } from './recurrence.ts'
import type { PublicationCreate } from './schema.ts'

type Given = Partial<Pick<PublicationCreate, keyof Content | 'titre'>>

/** Picks the content fields. */
export const contentOf = (publication: Content): Content => pick(publication) as Content

/** Cleans the given fields; one 422 lists all invalid fields. */
export function cleanContent({ titre, lieu, recurrence, ...given }: Given): Partial<Content> {
  const problems: Problem[] = []
  const content = pick(given)
  const title = given.title ?? titre
  if (given.title !== undefined && titre !== undefined && titre !== given.title) {
    problems.push({ field: 'titre', message: messages.twoTitles })
  }
  if (title !== undefined) {
    content.title = cleanTitle(title)
    problems.push(...textProblems('title', content.title, maxTitle))
  }
  if (given.body !== undefined) {
    const costly = costlyBody(given.body)
    if (costly === null) {
      content.body = sanitizeBody(given.body)
      const written = shorter(given.body, asWritten(content.body))
      problems.push(...textProblems('body', written, maxBody, withoutTags(content.body)))
      if (content.body.length > maxStoredBody) problems.push({ field: 'body', message: messages.keptLong })
    } else problems.push({ field: 'body', message: costly })
  }
  for (const field of namesOf('link', 'image')) {
    if (given[field] === undefined) continue
    // A blank URL is stored as null.
    const url = given[field]?.trim() || null
    // A client that sends a response back sends the address of our own picture: it is no new address to fetch.
    if (field === 'image_url' && url !== null && isOwnPicture(url)) {
      delete content[field]
      continue
    }
    if (url !== null && !isWebUrl(url)) problems.push({ field, message: messages.url })
    else if (url !== null && publicationFields[field].kind === 'image' && isPdf(url))
      problems.push({ field, message: messages.pdf })
    content[field] = url
  }
  for (const [field, { kind, max = maxLine }] of Object.entries<Field>(publicationFields)) {
    const written = (given as Record<string, unknown>)[field]
    if (kind !== 'line' || written === undefined) continue
    const line = lineOrNull(written as string | null)
    if (line !== null) problems.push(...textProblems(field, line, max))
    Object.assign(content, { [field]: line })
  }
  for (const field of namesOf('images', 'documents')) {
    const ids = given[field]?.map((id) => id.toLowerCase())
    if (ids !== undefined) content[field] = ids.length > 0 ? ids : null
  }
  if (lieu !== undefined) {
    content.lieu = cleanLieu(lieu)
    problems.push(...lieuProblems(content.lieu))
  }
  if (recurrence !== undefined) content.recurrence = cleanRecurrence(recurrence)
  if (problems.length > 0) throw validationFailed(problems)
  return content
}

/** Completes a publication's content; 422 if title or body is missing, or days, hours or a recurrence cannot be. */
export function completeContent(content: Partial<Content>): Content {
  const { title, body, date_debut, date_fin } = content
  if (title === undefined) throw invalid('title', messages.required)
  if (body === undefined) throw invalid('body', messages.required)
  if (date_debut && date_fin && date_fin < date_debut) throw invalid('date_fin', messages.order)
  const whole = { ...nothing, ...content, title, body }
  const problem = hoursProblem(whole)
  if (problem !== null) throw validationFailed([problem])
  const problems = recurrenceProblems(whole)
  if (problems.length > 0) throw validationFailed(problems)
  return whole
}

/** Returns the problem with the hours of an event, or null. */
export function hoursProblem({ date_debut, date_fin, heure_debut, heure_fin }: When): Problem | null {
  if (heure_debut !== null && date_debut === null) return { field: 'heure_debut', message: messages.needsDay }
  if (heure_fin === null) return null
  if (heure_debut === null) return { field: 'heure_fin', message: messages.needsHour }
  const isLaterDay = date_debut !== null && date_fin !== null && date_fin > date_debut
  if (heure_fin > heure_debut || heure_fin === '00:00' || isLaterDay) return null
  return { field: 'heure_fin', message: messages.hours }
}

/** Drops hours that no longer match the days if the change omits hours: not every application has them. */
export function withoutStaleHours<T extends Partial<Content>>(content: T & When, given: Partial<Content>): T {
  if (given.heure_debut !== undefined || given.heure_fin !== undefined) return content
  if (content.date_debut === null) return { ...content, heure_debut: null, heure_fin: null }
  return hoursProblem(content) === null ? content : { ...content, heure_fin: null }
}

const nothing = Object.fromEntries(contentNames.map((name) => [name, null])) as Record<keyof Content, null>

const pick = (content: Partial<Content>): Partial<Content> =>
  Object.fromEntries(
    contentNames.flatMap((name) => (content[name] === undefined ? [] : [[name, content[name]]])),
  )

/** Returns why a body is too costly to parse; null when it is not. */
function costlyBody(given: string): Text | null {
  // Too long to store, as given or once each `<` becomes `&lt;`.
  if (given.length > 2 * maxStoredBody) return tooLong(maxBody)
  if (countOf('<', given) > maxStoredBody / 4) return messages.keptLong
  return tooMuchMarkup(given)
}

/**
 * Sanitises HTML. Text without tags becomes equivalent HTML: a lone `<` or `&` is escaped and never starts a
 * tag. The output is stable when sanitised again: it is repeated until then, because tags nested through a
 * removed tag close differently when parsed again.
 */
export function sanitizeBody(given: string): string {
  let html = cleanHtml(tidyLines(given))
  for (let pass = 0; pass < 5 && html.includes('<'); pass++) {
    const again = cleanHtml(html)
    if (again === html) break
    html = again
  }
  return html
}

/** Sanitising decodes entities for control characters and line ends, so the text is tidied again. */
const cleanHtml = (html: string) => tidyLines(sanitizeHtml(separateBlocks(html), subset)).trim()

const tidyLines = (text: string) => tidy(text).replaceAll(/\r\n?/g, '\n')

export function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s<>"`\\\p{C}]+$/iu.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Whether an address ends as that of a PDF does, which no browser shows as a picture. */
export const isPdf = (url: string) => /\.pdf$/i.test(new URL(url).pathname)

const rel = 'nofollow noopener noreferrer'
const subset: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'a', 'ul', 'ol', 'li', 'strong', 'b', 'em', 'i', 'u', 'h2', 'h3', 'h4'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  nonTextTags,
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
  // A disallowed link keeps its text.
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'a' && !isWebUrl(attribs.href ?? '') ? 'excludeTag' : false,
}

/** A single line with normal spaces. */
const cleanTitle = (title: string) => tidy(title).replaceAll(/\s+/g, ' ').trim()

/** Removes what sanitising added, so that a body has the length its author wrote, even if sent back. */
const asWritten = (html: string) =>
  html
    .replaceAll(/&(?:amp|lt|gt|quot);/g, '&')
    .replaceAll('<br />', '<br>')
    .replaceAll(` rel="${rel}"`, '')

const countOf = (sign: string, text: string) => text.split(sign).length - 1

const shorter = (text: string, other: string) => (text.length < other.length ? text : other)

const withoutTags = (html: string) => html.replaceAll(/<[^>]*>/g, '')

const messages = {
  required: { en: 'is required', fr: 'est obligatoire' },
  keptLong: {
    en: `must have at most ${maxStoredBody} characters as HTML, where &lt; stands for <`,
    fr: `doit avoir au plus ${maxStoredBody} caractères en HTML, où &lt; tient lieu de <`,
  },
  url: {
    en: 'must be an http or https address',
    fr: 'doit être une adresse complète, comme https://exemple.fr',
  },
  pdf: { en: 'is a PDF, not a picture', fr: 'est un PDF, et non une image' },
  order: { en: 'must not be before the first day', fr: 'ne doit pas précéder le premier jour' },
  needsDay: { en: 'needs a first day', fr: 'demande un premier jour' },
  needsHour: { en: 'needs a start time', fr: 'demande une heure de début' },
  hours: {
    en: 'must be after the start time, unless the last day is a later one',
    fr: 'doit suivre l’heure de début, sauf si le dernier jour est plus tard',
  },
  twoTitles: { en: 'must be the same as title', fr: 'doit être identique à title' },
}
