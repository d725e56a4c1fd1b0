import { hash } from 'node:crypto'
import { ApiError } from '../../../platform/errors.ts'
import { todayInParis } from '../../../platform/paris-time.ts'
import { type Content, maxKeptBody, maxTitle } from '../../publications/schema.ts'
import { cleanContent, completeContent, isWebUrl } from '../../publications/writing/content.ts'

/** What a reader finds, as it stands in the source: anything may be missing, and nothing is believed. */
export type FoundItem = {
  external_id: string | null
  /** Plain text. */
  title: string | null
  /** Plain text or HTML. */
  body: string | null
  url?: string | null
  image_url?: string | null
  date_debut?: string | null
  date_fin?: string | null
  isCancelled?: boolean
  /** Why the reader itself cannot make anything of it. */
  flaw?: string
}

/** What an item is to become; or why it becomes nothing. */
export type ReadItem = { external_id: string | null; title: string | null } & (
  | { content: ItemContent; isCancelled: boolean; note: string | null; refused: null }
  | { content: null; refused: { action: 'rejected' | 'duplicate'; reason: string } }
)
export type ItemContent = Omit<Content, 'type_id'>

/** As publications keep it: clean, within their limits, its addresses whole. */
export function normalise(found: FoundItem, baseUrl: string): ReadItem {
  const external_id = idOf(found.external_id)
  const body = blankToNull(found.body)
  const title = titleOf(found, body)
  const refuse = (reason: string): ReadItem => ({
    external_id,
    title,
    content: null,
    refused: { action: 'rejected', reason },
  })
  if (found.flaw !== undefined) return refuse(found.flaw)
  if (external_id === null) return refuse('it has no identifier')
  if (title === null) return refuse('it has neither title nor text')
  if (body !== null && body.length > 2 * maxKeptBody) return refuse('its text is too long')
  const { days, note } = daysOf(found)
  try {
    const content = completeContent(
      cleanContent({
        title,
        body: body ?? asHtml(title),
        ...days,
        source_url: addressOf(found.url, baseUrl),
        image_url: addressOf(found.image_url, baseUrl),
      }),
    )
    const { type_id, ...rest } = content
    return { external_id, title, content: rest, isCancelled: found.isCancelled === true, note, refused: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refuse((error.details ?? []).map(({ field, message }) => `${field} ${message.en}`).join(', '))
  }
}

/** A long one stands for itself by its digest: what it is compared by has an end. */
function idOf(given: string | null): string | null {
  const id = oneLine(given ?? '')
  if (id === '') return null
  return id.length <= 200 ? id : `sha256:${hash('sha256', id, 'hex')}`
}

/** Without a title, the beginning of the text. */
function titleOf({ title, isCancelled }: FoundItem, body: string | null): string | null {
  const own = oneLine((title ?? '').slice(0, 10_000))
  const text = own || oneLine((body ?? '').slice(0, 10_000).replaceAll(/<[^<>]*>/g, ' '))
  if (!/[^\p{Z}\p{C}\s]/u.test(text)) return null
  return cutAtWord(isCancelled ? `Annulé : ${text}` : text)
}

function cutAtWord(text: string): string {
  const signs = [...text]
  if (signs.length <= maxTitle) return text
  const cut = signs.slice(0, maxTitle - 1).join('')
  const end = cut.lastIndexOf(' ')
  return `${(end > 0 ? cut.slice(0, end) : cut).trimEnd()}…`
}

function blankToNull(body: string | null): string | null {
  if (body === null || body.length > 2 * maxKeptBody) return body
  return /[^\p{Z}\p{C}\s]/u.test(body.replaceAll(/<[^<>]*>/g, '')) ? body : null
}

/** What cannot be an address is none. */
function addressOf(given: string | null | undefined, baseUrl: string): string | null {
  const text = given?.trim() ?? ''
  if (text === '' || text.length > 2_000) return null
  const url = URL.parse(text, URL.canParse(baseUrl) ? baseUrl : undefined)?.href ?? ''
  return url.length <= 2_000 && isWebUrl(url) ? url : null
}

function daysOf(found: FoundItem) {
  const date_debut = dayOf(found.date_debut)
  const date_fin = dayOf(found.date_fin)
  const isBackwards = date_debut !== null && date_fin !== null && date_fin < date_debut
  const unread = [
    ...(found.date_debut && date_debut === null ? ['date_debut'] : []),
    ...(found.date_fin && (date_fin === null || isBackwards) ? ['date_fin'] : []),
  ]
  const note = unread.length === 0 ? null : `left out, being no such day: ${unread.join(', ')}`
  return { days: { date_debut, date_fin: isBackwards ? null : date_fin }, note }
}

/** A day, as ISO 8601 or the French write it; a moment with its zone is the day it falls on in Paris. */
export function dayOf(given: string | null | undefined): string | null {
  const text = given?.trim() ?? ''
  const french = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text)
  if (french) return realDay(`${french[3]}-${french[2]?.padStart(2, '0')}-${french[1]?.padStart(2, '0')}`)
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
    text,
  )
  if (!iso) return null
  if (iso[2] === undefined) return realDay(iso[1] ?? '')
  const time = new Date(text.replace(' ', 'T'))
  return Number.isNaN(time.getTime()) ? null : realDay(todayInParis(time))
}

function realDay(text: string): string | null {
  const time = new Date(`${text}T00:00:00Z`)
  const isReal =
    !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) && !text.startsWith('0000')
  return isReal ? text : null
}

const oneLine = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .trim()

export const asHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
