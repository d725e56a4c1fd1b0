import type { FastifyReply } from 'fastify'
import ical, {
  ICalAlarmType,
  type ICalCalendar,
  type ICalDateTimeValue,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalLocation,
} from 'ical-generator'
import Type from 'typebox'
import { findActeurChange } from '../modules/acteurs/reading.ts'
import { type CollecteSchedule, calendarBetween } from '../modules/communes/calendar.ts'
import { findVersion, listCollectes } from '../modules/communes/queries.ts'
import { BySlug } from '../modules/communes/reading.ts'
import type { CollecteRow, Commune } from '../modules/communes/schema.ts'
import {
  initialName,
  inSecteur,
  listSecteurs,
  presentName,
  type Secteur,
} from '../modules/communes/secteurs/names.ts'
import { ByIdOrSlug } from '../modules/groups/reading.ts'
import { findVersions, listFirst } from '../modules/publications/reading/queries.ts'
import { type Recurrence, untilOf } from '../modules/publications/recurrence.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { isPinned } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import { notFound } from '../platform/errors.ts'
import { lastModifiedOf } from '../platform/http/conditional.ts'
import { HourOfDay, IdOrSlug, text } from '../platform/http/validation/schemas.ts'
import { daysBetween, daysLater } from '../platform/time/days.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { tablesOfPublications } from './commune-pages.ts'
import { newestOf, openToAll, shownAt } from './feeds.ts'
import { shownGroup, tablesOfGroup } from './groupes/shown-group.ts'
import { clipped, plainText } from './layout.ts'
import { daysTag } from './module.ts'
import { largestJpeg } from './pictures.ts'
import { changeOf, type Place, placeOfCommune, placeOfGroup, publicationsOf } from './place.ts'
import { isCancelled, pathOf } from './rows.ts'
import { type Pages, type Site, searchOf, shownActeur, shownCommune, shownPublication } from './site.ts'
import { t } from './text.ts'

const pastDays = 30
const futureDays = 365
/** More than a commune or a group announces in thirteen months. */
const maxEvents = 1_000
const maxDescription = 2_000
const paris = 'Europe/Paris'
const calendarType = 'text/calendar; charset=utf-8'
const refreshSeconds = 6 * 3_600
const dayMs = 86_400_000

/**
 * The events of a commune, a group or an acteur, and the collections of a commune, as calendars. An entry keeps its UID for
 * ever, so that a calendar moves it when it moves; what is no longer shown leaves the calendar.
 */
export const calendarRoutes: Pages = (scope) => {
  const shows = [...tablesOfPublications, 'publication_communes', daysTag]

  const sendAgenda = async (reply: FastifyReply, site: Site, place: Place, slug: string) => {
    const path = `${place.path}/agenda`
    if (place.slug !== slug) return reply.redirect(`${path}.ics`, 301)
    const rows = await publicationsOf(site, place, period(site), maxEvents)
    const changedAt = rows.length > 0 ? newestOf(rows.flatMap(timesOfEvent)) : await changeOf(site, place)
    const calendar = emptyCalendar(site, t.agenda.of(place.nom), path)
    await addEvents(calendar, site, rows)
    return openToAll(reply)
      .type(calendarType)
      .header('last-modified', lastModifiedOf(changedAt))
      .send(written(calendar))
  }

  scope.get(
    '/communes/:slug/agenda.ics',
    { config: { caching: { shows }, load: 'list' }, schema: { params: BySlug } },
    async ({ params: { slug }, caller, site }, reply) =>
      sendAgenda(reply, site, placeOfCommune(await shownCommune(site, caller, slug)), slug),
  )

  scope.get(
    '/groupes/:idOrSlug/agenda.ics',
    {
      config: { caching: { shows: [...new Set([...shows, ...tablesOfGroup])] }, load: 'list' },
      schema: { params: ByIdOrSlug },
    },
    async ({ params: { idOrSlug }, caller, site }, reply) =>
      sendAgenda(reply, site, placeOfGroup(await shownGroup(site, caller, idOrSlug)), idOrSlug),
  )

  scope.get(
    '/acteurs/:slug/agenda.ics',
    { config: { caching: { shows: [...shows, 'actor_users'] }, load: 'list' }, schema: { params: BySlug } },
    async ({ params: { slug }, caller, site }, reply) => {
      const acteur = await shownActeur(site, caller, slug)
      const path = `/acteurs/${acteur.slug}`
      if (acteur.slug !== slug) return reply.redirect(`${path}/agenda.ics`, 301)
      const filters = { ...period(site), acteur_id: acteur.id }
      const list = { filters, communeIds: restrictionOf(caller), comesFirst: isPinned }
      const rows = await listFirst(site.lists, list, maxEvents)
      const changedAt =
        rows.length > 0 ? newestOf(rows.flatMap(timesOfEvent)) : await findActeurChange(site.reads, acteur.id)
      const calendar = emptyCalendar(site, t.agenda.of(acteur.nom), path)
      await addEvents(calendar, site, rows)
      return openToAll(reply)
        .type(calendarType)
        .header('last-modified', lastModifiedOf(changedAt))
        .send(written(calendar))
    },
  )

  scope.get(
    '/publications/:slug/agenda.ics',
    {
      config: { caching: { shows: [...tablesOfPublications, 'publication_communes'] } },
      schema: { params: Type.Object({ slug: IdOrSlug('Slug or id', 'fete-de-la-pomme') }) },
    },
    async ({ params: { slug }, caller, site }, reply) => {
      const publication = await shownPublication(site, caller, slug)
      if (publication.date_debut === null) throw notFound()
      const path = pathOf(publication)
      if (publication.slug !== slug) return reply.redirect(`${path}/agenda.ics`, 301)
      const calendar = emptyCalendar(site, publication.titre, path)
      await addEvents(calendar, site, [publication])
      return openToAll(reply)
        .type(calendarType)
        .header('last-modified', lastModifiedOf(shownAt(publication)))
        .send(written(calendar))
    },
  )

  const CollectesQuery = Type.Object({
    secteur: Type.Optional(text(200)),
    type: Type.Optional(text(100)),
    rappel: Type.Optional(HourOfDay('An alarm on the evening before', '19:00')),
  })
  scope.get(
    '/communes/:slug/collectes.ics',
    {
      config: { caching: { shows: ['communes', 'collectes', 'secteurs', daysTag] }, load: 'list' },
      schema: { params: BySlug, querystring: CollectesQuery },
    },
    async ({ params: { slug }, query, caller, url, site }, reply) => {
      const commune = await shownCommune(site, caller, slug)
      const path = `/communes/${commune.slug}/collectes`
      if (commune.slug !== slug) return reply.redirect(`${path}.ics${searchOf(url)}`, 301)
      const { secteur = '', type = '', rappel = null } = query
      const [all, secteurs, changed] = await Promise.all([
        listCollectes(site.reads, commune.id),
        listSecteurs(site.reads, commune.id),
        findVersion(site.reads, commune.id),
      ])
      const present = presentName(secteur, all, secteurs)
      const rows = (present === null ? all : inSecteur(all, present)).filter(
        ({ type_dechet }) => type === '' || type_dechet === type,
      )
      const calendar = emptyCalendar(site, t.collectes.of(commune.nom), path)
      const today = todayInParis(site.clock())
      const isUnknown = secteur !== '' && present === null
      const last = addCollections(calendar, { commune, ...changed, rows, secteurs, today, rappel })
      if (isUnknown) addUnknownSecteur(calendar, site, { commune, secteur, today })
      const times = [...(last === null ? [] : [enteredAt(last)]), ...(isUnknown ? [startOf(today)] : [])]
      const changedAt = newestOf([changed.updated_at, ...times])
      return openToAll(reply)
        .type(calendarType)
        .header('last-modified', lastModifiedOf(changedAt))
        .send(written(calendar))
    },
  )
}

/** When an event changed, and when it entered the calendar, which shows twelve months. */
const timesOfEvent = (publication: Publication): Date[] => [
  shownAt(publication),
  ...(publication.date_debut === null ? [] : [enteredAt(publication.date_debut)]),
]
const startOf = (date: string) => new Date(momentOf(date, '00:00').epochMilliseconds)
const enteredAt = (date: string) => startOf(daysLater(date, -futureDays))

function period(site: Site) {
  const today = todayInParis(site.clock())
  return {
    sort: 'date_debut_asc',
    date_fin_min: daysLater(today, -pastDays),
    date_debut_max: daysLater(today, futureDays),
  } as const
}

export function emptyCalendar(
  site: Pick<Site, 'url' | 'settings'>,
  name: string,
  path: string,
): ICalCalendar {
  return ical({
    // The generator writes this line as it is.
    name: line(`${name} · ${site.settings.name}`).replace(/[\\,;]/g, String.raw`\$&`),
    prodId: { company: 'Parvis', product: 'Parvis', language: 'FR' },
    timezone: { name: paris, generator: () => parisRules },
    url: `${site.url}${path}`,
    ttl: refreshSeconds,
  })
}

/** The generator writes these moments as they are, without the mark of UTC, where a calendar has a time zone. */
const moments = /^(?:DTSTAMP|CREATED|LAST-MODIFIED):\d{8}T\d{6}(?=\r$)/gm
/** It also writes the day of a series' date as a moment where the event takes whole days. */
const wholeDays = /^RECURRENCE-ID:(\d{8})T000000(?=\r$)/gm
export const written = (calendar: ICalCalendar): string =>
  calendar.toString().replace(moments, '$&Z').replace(wholeDays, 'RECURRENCE-ID;VALUE=DATE:$1')
const inUtc = (date: Date): ICalDateTimeValue =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('UTC').toPlainDateTime()

// biome-ignore lint/suspicious/noControlCharactersInRegex: calendars allow none of these but the line break
const control = /[\u0000-\u0009\u000b-\u001f\u007f]/g
const clean = (text: string) => text.toWellFormed().replaceAll('\r\n', '\n').replace(control, '')
const line = (text: string) => clean(text).replaceAll('\n', ' ')

async function addEvents(calendar: ICalCalendar, site: Site, rows: Publication[]): Promise<void> {
  const versions = await findVersions(
    site.lists,
    rows.map(({ id }) => id),
  )
  for (const row of rows) addEvent(calendar, site, row, versions.get(row.id) ?? 0)
}

export function addEvent(
  calendar: ICalCalendar,
  site: Pick<Site, 'url'>,
  publication: Publication,
  version: number,
): void {
  const { id, titre, body, date_debut, date_fin, heure_debut, heure_fin } = publication
  const { acteur, created_at, updated_at, images } = publication
  const [cover] = images
  if (date_debut === null) return
  const days = daysBetween(date_debut, date_fin ?? date_debut)
  const isWholeDay = heure_debut === null
  const changed = inUtc(new Date(updated_at))
  const url = `${site.url}${pathOf(publication)}`
  const about = [clipped(plainText(body), maxDescription), acteur?.nom, url].filter(Boolean).join('\n\n')
  const event = {
    id: `${id}@publications.parvis`,
    summary: line(titre),
    description: clean(about),
    url,
    ...placeOf(publication),
    ...(cover && { attachments: [`${site.url}${largestJpeg(cover)}`] }),
    ...(isCancelled(publication) && { status: ICalEventStatus.CANCELLED }),
    stamp: changed,
    lastModified: changed,
    created: inUtc(new Date(created_at)),
    sequence: version,
  }
  const on = (day: string) => {
    const last = daysLater(day, days)
    return isWholeDay
      ? {
          ...{ allDay: true, start: dayOf(day), end: dayOf(daysLater(last, 1)) },
          transparency: ICalEventTransparency.TRANSPARENT,
        }
      : { timezone: paris, ...timesOf(day, last, heure_debut, heure_fin) }
  }
  const { recurrence } = publication
  const repeating = recurrence && { repeating: repeatingOf(recurrence, heure_debut) }
  calendar.createEvent({ ...event, ...on(date_debut), ...repeating })
  for (const { date, reportee_au } of recurrence?.occurrences ?? [])
    calendar.createEvent({
      ...{ ...event, ...on(reportee_au ?? date) },
      recurrenceId: isWholeDay ? dayOf(date) : momentOf(date, heure_debut),
      ...(reportee_au === null && { status: ICalEventStatus.CANCELLED }),
    })
}

/** The lines of a series. A rule ends on a day, which of events with an hour is a moment in UTC. */
function repeatingOf({ regle, exceptions, ajouts }: Recurrence, hour: string | null): string {
  const until = untilOf(regle)
  const rule = hour === null || until === null ? regle : regle.replace(/UNTIL=\d+/, `UNTIL=${endOf(until)}`)
  const compact = (day: string) =>
    `${day.replaceAll('-', '')}${hour === null ? '' : `T${hour.replace(':', '')}00`}`
  const datesAs = (name: string, days: string[]) =>
    days.length === 0
      ? []
      : [`${name};${hour === null ? 'VALUE=DATE' : `TZID=${paris}`}:${days.map(compact).join(',')}`]
  return [`RRULE:${rule}`, ...datesAs('RDATE', ajouts), ...datesAs('EXDATE', exceptions)].join('\r\n')
}

/** The last second of a day, in UTC. */
function endOf(day: string): string {
  const next = momentOf(daysLater(day, 1), '00:00')
  return `${next.subtract({ seconds: 1 }).toInstant().toString().replaceAll(/[-:]/g, '')}`
}

/** The place: its own, else the commune. Calendars show its address below its name. */
function placeOf({ lieu, commune }: Publication): { location?: ICalLocation } {
  const { nom = null, adresse = null, latitude = null, longitude = null } = lieu ?? {}
  const title = nom ?? adresse ?? commune?.nom
  if (title === undefined) return {}
  const point = latitude !== null && longitude !== null && { geo: { lat: latitude, lon: longitude } }
  const address = nom !== null && adresse !== null && { address: line(adresse) }
  return { location: { title: line(title), ...address, ...point } }
}

const dayOf = (date: string): ICalDateTimeValue => Temporal.PlainDate.from(date)
const momentOf = (date: string, time: string): Temporal.ZonedDateTime =>
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(paris)

/** An hour on the last day is the end; 00:00 is the end of that day. Without one an event of one day has no end. */
function timesOf(first: string, last: string, from: string, to: string | null) {
  const start = momentOf(first, from)
  if (to !== null) {
    const end = momentOf(to === '00:00' ? daysLater(last, 1) : last, to)
    return Temporal.ZonedDateTime.compare(end, start) > 0 ? { start, end } : { start }
  }
  return last === first ? { start } : { start, end: momentOf(daysLater(last, 1), '00:00') }
}

type Collections = {
  commune: Pick<Commune, 'code_insee' | 'departement'>
  /** Of the commune: a change of its collections raises it. */
  version: number
  updated_at: Date
  rows: CollecteRow[]
  secteurs: Secteur[]
  today: string
  rappel: string | null
}

/** Adds the dates of twelve months of each collection. Returns the last one. */
export function addCollections(
  calendar: ICalCalendar,
  { commune, version, updated_at, rows, secteurs, today, rappel }: Collections,
): string | null {
  const changed = inUtc(updated_at)
  const to = daysLater(today, futureDays)
  const seen = new Map<string, number>()
  let last: string | null = null
  for (const row of rows) {
    const place = row.secteur === null ? '' : ` (${row.secteur})`
    for (const { date, original, jour_ferie } of datesOf(row, today, to, commune.departement)) {
      const about = [row.consignes, jour_ferie && t.collectes.holiday].filter(Boolean).join('\n')
      const key = `${keyOf(commune, row, secteurs)}-${original}`
      // A second collection of the same type on the same day, such as glass at a drop-off point.
      const count = (seen.get(key) ?? 0) + 1
      seen.set(key, count)
      const event = calendar.createEvent({
        id: `${key}${count > 1 ? `-${count}` : ''}@collectes.parvis`,
        summary: line(`${row.libelle}${place}`),
        ...(about !== '' && { description: clean(about) }),
        ...{ allDay: true, start: dayOf(date), end: dayOf(daysLater(date, 1)) },
        transparency: ICalEventTransparency.TRANSPARENT,
        stamp: changed,
        lastModified: changed,
        sequence: version,
      })
      if (rappel !== null) event.createAlarm(eveningBefore(rappel, row.libelle))
      if (last === null || date > last) last = date
    }
  }
  return last
}

/** Of commune, secteur by its first name, and type: a change of the row may give it another id. */
const keyOf = (
  { code_insee }: Pick<Commune, 'code_insee'>,
  { secteur, type_dechet }: CollecteRow,
  secteurs: readonly Secteur[],
) => keyFrom(code_insee, secteur === null ? '' : initialName(secteur, secteurs), type_dechet)
const keyFrom = (...parts: string[]) => parts.map((part) => encodeURIComponent(line(part))).join('-')

type Unknown = { commune: Pick<Commune, 'code_insee' | 'slug'>; secteur: string; today: string }

/** Says, today and every day, that a calendar of a secteur that is not known has the collections of all. */
function addUnknownSecteur(calendar: ICalCalendar, site: Site, { commune, secteur, today }: Unknown): void {
  const changed = inUtc(new Date(`${today}T00:00:00Z`))
  const url = `${site.url}/communes/${commune.slug}/suivre`
  calendar.createEvent({
    id: `${keyFrom(commune.code_insee, 'secteur', secteur)}@collectes.parvis`,
    summary: line(t.collectes.renamed(secteur)),
    description: t.collectes.renamedHow(url),
    url,
    ...{ allDay: true, start: dayOf(today), end: dayOf(daysLater(today, 1)) },
    transparency: ICalEventTransparency.TRANSPARENT,
    stamp: changed,
    lastModified: changed,
    sequence: Date.parse(today) / dayMs,
  })
}

type CollectionDate = { date: string; original: string; jour_ferie: boolean }

/** Lists the dates of a schedule, each with the date that it had before an exception moved it. */
function datesOf(
  schedule: CollecteSchedule,
  from: string,
  to: string,
  departement: string,
): CollectionDate[] {
  const { days, useless } = calendarBetween(schedule, { from, to, departement })
  const moves = new Map(schedule.exceptions.map(({ date, reportee_au }) => [date, reportee_au]))
  const originals = new Map<string | null, string>()
  for (const [date, reportee_au] of moves)
    if (!useless.includes(date) && !originals.has(reportee_au)) originals.set(reportee_au, date)
  return days
    .filter(({ etat }) => etat === 'passage' || etat === 'reportee_ici')
    .map(({ date, etat, jour_ferie }) => ({
      date,
      original: etat === 'reportee_ici' ? (originals.get(date) ?? date) : date,
      jour_ferie,
    }))
}

/** A whole day begins at midnight: the alarm rings as many seconds before. */
function eveningBefore(time: string, label: string) {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return {
    type: ICalAlarmType.display,
    triggerBefore: 86_400 - hours * 3_600 - minutes * 60,
    description: line(label),
  }
}

/** The rules of European summer time, in force since 1996. */
const parisRules = `BEGIN:VTIMEZONE
TZID:Europe/Paris
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
DTSTART:19960331T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE`
