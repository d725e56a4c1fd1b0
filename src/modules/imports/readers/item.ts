import { hash } from 'node:crypto'
import sanitizeHtml from 'sanitize-html'
import { ApiError } from '../../../platform/errors.ts'
import { controlsAsWindows1252 } from '../../../platform/fetch/read-text.ts'
import { isVisible } from '../../../platform/formats/text.ts'
import { isRealDay } from '../../../platform/time/days.ts'
import { clockInParis, todayInParis } from '../../../platform/time/paris-time.ts'
import {
  type Field,
  hoursProblem,
  type ImportedContent,
  importedContent,
  isPdf,
  isWebUrl,
  type MappedName,
  mappedTargets,
  maxAdresseOfLieu,
  maxLine,
  maxNomOfLieu,
  maxStoredBody,
  maxTitle,
  piecesOf,
  publicationFields,
  type When,
} from '../../publications/importing/content.ts'

/** An item as found in the source. Anything may be missing, and nothing is trusted. */
export type FoundItem = Partial<Record<MappedName, string | null>> & {
  external_id: string | null
  /** Plain text. */
  title: string | null
  /** Plain text or HTML. */
  body: string | null
  /** Times of an event that has several; the dates above are the first and the last. */
  times?: { begin: string; end: string | null }[]
  /** Hours in Paris such as `20:30`, if the dates have none. */
  heure_debut?: string | null
  heure_fin?: string | null
  isCancelled?: boolean
  /** Why an event without a date that can be read is refused; other items may have no date. */
  undated?: string
  /** A remark for the log of the run. */
  note?: string
  /** Identifiers that the item may have had before. */
  earlier?: Earlier
  /** Why the reader cannot use the item. */
  flaw?: string
}

/** The identifiers under which an item may have been imported before its event was changed. */
export type Earlier = {
  /** Identifier of an event that does not repeat: only if it was on the same day. */
  event: string
  /** Identifiers of occurrences of that day. A name without an hour stands for those with any hour. */
  ofDay: string[]
  /** Identifiers that belong to other items of the source, or to this one. */
  inUse: string[]
}

/** An item ready to import, or the reason why not. */
export type ReadItem = { external_id: string | null; title: string | null } & (
  | {
      content: ImportedContent
      isCancelled: boolean
      note: string | null
      earlier: Earlier | null
      refused: null
    }
  | { content: null; refused: { action: 'rejected' | 'duplicate'; reason: string } }
)

export const noDate = 'it has no date that can be read'

/** Normalises an item to what publications store: cleaned, within limits, with absolute URLs. */
export function normalise(found: FoundItem, baseUrl: string): ReadItem {
  const external_id = idOf(found.external_id)
  const body = blankToNull(found.body && controlsAsWindows1252(found.body))
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
  if (body !== null && body.length > 2 * maxStoredBody) return refuse('its text is too long')
  const { when, ignored } = datesOf(found)
  const place = placeOf(found)
  const note = noteOf([...ignored, ...place.ignored], found.note)
  if (found.undated !== undefined && when.date_debut === null) return refuse(found.undated)
  try {
    const given = {
      title,
      body: body ?? asHtml(title),
      ...when,
      ...plainFieldsOf(found, baseUrl),
      lieu: place.lieu,
    }
    const content = importedContent(given, timesOf(found) ?? [when])
    const isCancelled = found.isCancelled === true
    return { external_id, title, content, isCancelled, note, earlier: earlierOf(found), refused: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refuse((error.details ?? []).map(({ field, message }) => `${field} ${message.en}`).join(', '))
  }
}

/** Replaces a long id by its digest, because the length of the stored key is limited. */
function idOf(given: string | null): string | null {
  const id = collapseWhitespace(given ?? '')
  if (id === '') return null
  return id.length <= 200 ? id : `sha256:${hash('sha256', id, 'hex')}`
}

function earlierOf({ earlier }: FoundItem): Earlier | null {
  if (earlier === undefined) return null
  const ids = (given: string[]) => given.flatMap((id) => idOf(id) ?? [])
  const { event, ofDay, inUse } = earlier
  return { event: idOf(event) ?? '', ofDay: ids(ofDay), inUse: ids(inUse) }
}

/** Returns the title, else the beginning of the text. */
function titleOf({ title, isCancelled }: FoundItem, body: string | null): string | null {
  const own = collapseWhitespace(controlsAsWindows1252((title ?? '').slice(0, 10_000)))
  const text = own || collapseWhitespace(plainText(textOf(body ?? '', ' ')))
  if (!isVisible(text)) return null
  return cutAtWord(isCancelled ? `Annulé : ${text}` : text, maxTitle)
}

/** Strips HTML, which many feeds write in titles, and decodes its entities. */
export function plainText(title: string): string {
  const beginning = title.slice(0, 10_000)
  if (!/[<&]/.test(beginning)) return beginning
  return sanitizeHtml(beginning, { allowedTags: [], allowedAttributes: {}, nestingLimit: 20 })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

/** Returns HTML without its tags; a `<` that begins none is escaped. */
const textOf = (html: string, between = '') =>
  [...piecesOf(html)]
    .map(({ kind, source }) => (kind === 'text' ? source.replaceAll('<', '&lt;') : between))
    .join('')

function cutAtWord(text: string, max: number): string {
  const signs = [...text]
  if (signs.length <= max) return text
  const cut = signs.slice(0, max - 1).join('')
  const end = cut.lastIndexOf(' ')
  return `${(end > 0 ? cut.slice(0, end) : cut).trimEnd()}…`
}

function blankToNull(body: string | null): string | null {
  if (body === null || body.length > 2 * maxStoredBody) return body
  return isVisible(textOf(body)) ? body : null
}

/** Returns the addresses and lines of an item. */
function plainFieldsOf(found: FoundItem, baseUrl: string): Partial<ImportedContent> {
  return Object.fromEntries(
    mappedTargets.flatMap(({ name, field }) => {
      const { kind, max = maxLine } = publicationFields[field] as Field
      if (kind === 'line') return [[field, shortText(found[name], max) || null]]
      if (kind === 'image') return [[field, pictureOf(found[name], baseUrl)]]
      return kind === 'link' ? [[field, addressOf(found[name], baseUrl)]] : []
    }),
  )
}

/** Resolves a URL; null if it is invalid. */
function addressOf(given: string | null | undefined, baseUrl: string): string | null {
  const text = given?.trim() ?? ''
  if (text === '' || text.length > 2_000) return null
  const url = URL.parse(text, URL.canParse(baseUrl) ? baseUrl : undefined)?.href ?? ''
  return url.length <= 2_000 && isWebUrl(url) ? url : null
}

function pictureOf(given: string | null | undefined, baseUrl: string): string | null {
  const url = addressOf(given, baseUrl)
  return url === null || isPdf(url) ? null : url
}

const timesOf = ({ times }: FoundItem): When[] | undefined =>
  times?.map(({ begin, end }) => datesOf({ ...empty, date_debut: begin, date_fin: end }).when)

const empty = { external_id: null, title: null, body: null }

type Dates = { when: When; ignored: string[] }

/**
 * Returns the days and hours of an item in Paris. An end at midnight means the day before. An item from
 * midnight to midnight has no hours: tables write whole days like that.
 */
function datesOf(found: FoundItem): Dates {
  const first = momentOf(found.date_debut)
  const last = momentOf(found.date_fin)
  const begin = found.heure_debut ?? first?.hour ?? null
  const end = found.heure_fin ?? last?.hour ?? null
  const isWhole =
    begin === null || (begin === '00:00' && (end === null || end === '00:00' || end === '23:59'))
  const isOverBefore = !isWhole && last?.hour === '00:00' && first !== null && last.day > first.day
  const lastDay = last !== null && isOverBefore ? dayBefore(last.day) : (last?.day ?? null)
  const isBackwards = first !== null && lastDay !== null && lastDay < first.day
  const unread = [
    ...(found.date_debut && first === null ? ['date_debut'] : []),
    ...(found.date_fin && (last === null || isBackwards) ? ['date_fin'] : []),
  ]
  const days = { date_debut: first?.day ?? null, date_fin: isBackwards ? null : lastDay }
  const hours =
    first === null || isWhole ? noHours : { heure_debut: begin, heure_fin: isBackwards ? null : end }
  const when = { ...days, ...hours }
  return {
    when: hoursProblem(when) === null ? when : { ...when, heure_fin: null },
    ignored: unread.length === 0 ? [] : [`ignored: invalid date: ${unread.join(', ')}`],
  }
}

const noteOf = (ignored: string[], own: string | undefined): string | null =>
  [...ignored, ...(own === undefined ? [] : [own])].join('; ') || null

/** Returns the place of an item: long texts are cut, and coordinates that are no point on Earth are ignored. */
function placeOf(found: FoundItem) {
  const [latitude, longitude] = [found['lieu.latitude'], found['lieu.longitude']].map(
    (text) => text?.trim() || null,
  )
  const point = { latitude: degreesOf(latitude, 90), longitude: degreesOf(longitude, 180) }
  const isPoint = point.latitude !== null && point.longitude !== null
  const isGiven = Boolean(latitude ?? longitude)
  const lieu = {
    nom: shortText(found['lieu.nom'], maxNomOfLieu),
    adresse: shortText(found['lieu.adresse'], maxAdresseOfLieu),
    ...(isPoint && point),
  }
  return { lieu, ignored: isGiven && !isPoint ? ['ignored: invalid coordinates'] : [] }
}

const shortText = (given: string | null | undefined, max: number) =>
  cutAtWord(collapseWhitespace(controlsAsWindows1252((given ?? '').slice(0, 10_000))), max)

function degreesOf(given: string | null | undefined, most: number): number | null {
  const text = given?.replace(',', '.') ?? ''
  const degrees = Number(text)
  return /^[+-]?\d+(\.\d*)?$/.test(text) && Math.abs(degrees) <= most ? degrees : null
}

const noHours = { heure_debut: null, heure_fin: null }

/** A day and, if given, its hour. */
type Moment = { day: string; hour: string | null }

/** Parses an ISO 8601 or French date with or without an hour; converts a time with a zone to Paris time. */
export function momentOf(given: string | null | undefined): Moment | null {
  const text = given?.trim() ?? ''
  const french =
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b(?:[T ,]*(?:à\s*)?(\d{1,2})\s*[:hH]\s*(\d{2})?(?!\d))?/.exec(text)
  if (french) {
    const [, day = '', month = '', year = '', hour, minute] = french
    return realMoment(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, hour, minute)
  }
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
    text,
  )
  if (!iso) return null
  if (iso[4] === undefined) return realMoment(iso[1] ?? '', iso[2], iso[3])
  const time = new Date(text.replace(' ', 'T'))
  if (Number.isNaN(time.getTime())) return null
  const [hour, minute] = clockInParis(time).split(':')
  return realMoment(todayInParis(time), hour, minute)
}

function realMoment(day: string, hour?: string, minute = '00'): Moment | null {
  if (!isRealDay(day)) return null
  const isHour = hour !== undefined && Number(hour) < 24 && Number(minute) < 60
  return { day, hour: isHour ? `${hour.padStart(2, '0')}:${minute}` : null }
}

const dayBefore = (day: string) =>
  new Date(new Date(`${day}T00:00:00Z`).getTime() - 86_400_000).toISOString().slice(0, 10)

const collapseWhitespace = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .trim()

export const asHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
