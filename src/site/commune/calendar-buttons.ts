import type { Publication } from '../../modules/publications/schema.ts'
import { daysLater } from '../../platform/time/days.ts'
import { html, type Markup } from '../html.ts'
import { clipped, plainText } from '../layout.ts'
import { isCancelled, pathOf, placeInWords } from '../rows.ts'
import type { Site } from '../site.ts'
import { t } from '../text.ts'

/** A calendar of Apple or Outlook subscribes to such an address, and asks again by itself. */
const webcal = (url: string) => url.replace(/^https?:/, 'webcal:')
const google = (search: Record<string, string>) =>
  `https://calendar.google.com/calendar/render?${new URLSearchParams(search)}`

/** Buttons that add a calendar, which keeps itself up to date: for Apple and Outlook, for Google, and its file. */
export const calendarButtons = (url: string, name: string): Markup =>
  buttons({ url, subscribe: google({ cid: webcal(url) }), name })

/** The same for one event; none for one that is over or called off. */
export function eventButtons(
  { url }: Pick<Site, 'url'>,
  publication: Publication,
  today: string,
): Markup | false {
  const { date_debut, date_fin, titre, recurrence, prochaine_date } = publication
  const isOver = recurrence === null ? (date_fin ?? date_debut ?? '') < today : prochaine_date === null
  if (date_debut === null || isOver || isCancelled(publication)) return false
  const file = `${url}${pathOf(publication)}/agenda.ics`
  // Google takes a rule with an event, but no dates left out, added or moved, and would not hear of one called off later.
  const subscribe =
    recurrence === null ? googleEvent(url, publication, date_debut) : google({ cid: webcal(file) })
  return buttons({ url: file, subscribe, name: titre })
}

type Buttons = { url: string; subscribe: string; name: string }

const buttons = ({ url, subscribe, name }: Buttons): Markup => html`<ul class="ways">
${[
  [webcal(url), t.calendar.apple],
  [subscribe, t.calendar.google],
  [url, t.calendar.file],
].map(
  ([
    href,
    label,
  ]) => html`<li><a href="${href ?? ''}">${label ?? ''}<span class="unseen">\u00a0: ${name}</span></a></li>
`,
)}</ul>`

const maxDetails = 300

function googleEvent(origin: string, publication: Publication, first: string): string {
  const { titre, body, date_fin, heure_debut, heure_fin } = publication
  const last = date_fin ?? first
  const start = compact(first, heure_debut)
  // Whole days end before the day after; an hour on the last day is the end, of which 00:00 is midnight.
  const isUntilMidnight =
    heure_debut === null || heure_fin === '00:00' || (heure_fin === null && last > first)
  const end = isUntilMidnight
    ? compact(daysLater(last, 1), heure_debut && '00:00')
    : compact(last, heure_fin ?? heure_debut)
  return google({
    ...{ action: 'TEMPLATE', text: titre, dates: `${start}/${end}`, ctz: 'Europe/Paris' },
    location: placeInWords(publication),
    details: `${clipped(plainText(body), maxDetails)}\n\n${origin}${pathOf(publication)}`,
  })
}

/** `20261205`, `20261205T183000` */
const compact = (date: string, time: string | null) =>
  `${date.replaceAll('-', '')}${time ? `T${time.replace(':', '')}00` : ''}`
