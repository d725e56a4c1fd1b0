import { parseJson } from './document.ts'
import { type FoundItem, momentOf, noDate } from './item.ts'
import { textOf, valueAt } from './json.ts'
import { ReadFailed } from './read-failed.ts'

/** Reads one page of the events of an agenda. */
export function readAgenda(text: string): Iterable<FoundItem> {
  return itemsOf(eventsOf(parseJson(text)))
}

/** Returns the cursor of the next page; null at the end. */
export function nextPage(text: string): string[] | null {
  const document = parseJson(text)
  const after = valueAt(document, 'after')
  if (eventsOf(document).length === 0 || !Array.isArray(after) || after.length === 0) return null
  const values = after.slice(0, 10).map((value) => textOf(value))
  return values.every((value) => value !== null && value.length <= 200) ? (values as string[]) : null
}

function eventsOf(document: unknown): unknown[] {
  const events = valueAt(document, 'events')
  if (!Array.isArray(events)) throw new ReadFailed('It has no events.')
  return events
}

const cancelled = 6

function* itemsOf(events: unknown[]): Generator<FoundItem> {
  for (const event of events) {
    const { times, note, undated } = timesOf(event)
    const ends = times.flatMap(({ end }) => end ?? []).sort()
    const status = valueAt(event, 'status')
    yield {
      external_id: textOf(valueAt(event, 'uid')),
      title: inFrench(valueAt(event, 'title')),
      body: bodyOf(event),
      url: textOf(valueAt(event, 'canonicalUrl')),
      image_url: imageOf(event),
      ...placeOf(event),
      date_debut: times[0]?.begin ?? null,
      date_fin: ends.at(-1) ?? null,
      // Without the times between, no list of them is shown.
      ...(times.length > 1 && { times: note === null ? times : [] }),
      ...(note !== null && { note }),
      undated,
      isCancelled: (valueAt(status, 'id') ?? status) === cancelled,
    }
  }
}

type Times = { times: { begin: string; end: string | null }[]; note: string | null; undated: string }

/**
 * Returns the times of an event in order. Without `detailed=1`, lists of events have no `timings`: the first and
 * the last time date an event as well, else the next one.
 */
function timesOf(event: unknown): Times {
  const timings = valueAt(event, 'timings')
  if (Array.isArray(timings) && timings.length > 0)
    return { times: readable(timings), note: null, undated: noDate }
  const ends = readable([valueAt(event, 'firstTiming'), valueAt(event, 'lastTiming')])
  const times = ends.length > 0 ? ends : readable([valueAt(event, 'nextTiming')])
  const isOne = times.every(({ begin }) => begin === times[0]?.begin)
  return {
    times: isOne ? times.slice(0, 1) : times,
    note: isOne
      ? null
      : 'its times between the first and the last are missing: add detailed=1 to the address',
    undated: `${noDate}: add detailed=1 to the address`,
  }
}

const readable = (timings: unknown[]) =>
  timings
    .flatMap((timing) => {
      const begin = textOf(valueAt(timing, 'begin'))
      return momentOf(begin) === null || begin === null
        ? []
        : [{ begin, end: textOf(valueAt(timing, 'end')) }]
    })
    .sort((one, other) => (one.begin < other.begin ? -1 : 1))

/** Returns the French text, or else the first language present. */
function inFrench(value: unknown): string | null {
  const french = textOf(value) ?? textOf(valueAt(value, 'fr'))
  if (french !== null || typeof value !== 'object' || value === null) return french
  return (
    Object.values(value)
      .map(textOf)
      .find((text) => text !== null) ?? null
  )
}

/** Returns the long description, else the short one. */
function bodyOf(event: unknown): string | null {
  const texts = [valueAt(event, 'longDescription'), valueAt(event, 'description')]
    .map(inFrench)
    .find((text) => text !== null && text.trim() !== '')
  const paragraphs = (texts ?? '')
    .split(/\n{2,}/)
    .join('<br><br>')
    .replaceAll('\n', '<br>')
  return paragraphs || null
}

function placeOf(event: unknown): Partial<FoundItem> {
  const part = (name: string) => textOf(valueAt(event, `location.${name}`))?.trim() ?? ''
  const [nom, address, city] = [part('name'), part('address'), part('city')]
  const adresse = [address, ...(address.includes(city) ? [] : [city])]
    .filter((text) => text !== '')
    .join(', ')
  return {
    'lieu.nom': nom,
    // Some agendas repeat the name where they know no address.
    'lieu.adresse': adresse === nom ? null : adresse,
    'lieu.latitude': part('latitude'),
    'lieu.longitude': part('longitude'),
  }
}

function imageOf(event: unknown): string | null {
  const base = textOf(valueAt(event, 'image.base'))
  const file = textOf(valueAt(event, 'image.filename'))
  return base !== null && file !== null ? base + file : textOf(valueAt(event, 'image'))
}
