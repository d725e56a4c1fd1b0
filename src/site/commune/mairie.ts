import type { Infos } from '../../modules/communes/schema.ts'
import { readOpeningHours } from '../../modules/defibrillateurs/hours/opening-hours.ts'
import {
  type OpeningState,
  openingStateAt,
  withHolidaysOff,
} from '../../modules/defibrillateurs/hours/opening-state.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { noticesOf, timeInWords } from '../hours.ts'
import { html, type Markup } from '../html.ts'
import { routeLink } from '../rows.ts'
import { dayAhead, t } from '../text.ts'
import { readFrenchHours } from './french-hours.ts'

type Hall = {
  infos: Infos
  horaires: string | null
  departement: string
  /** The address of all opening hours; null on a screen, where nobody follows links. */
  details: string | null
  now: Date
}

/** Whether the mairie is open and how to reach it, in one look. */
export function mairieBox({ infos, horaires, departement, details, now }: Hall): Markup {
  const inWords = infos.complements.find(({ cle }) => cle === 'horaires')?.valeur
  const read = horaires === null ? readFrenchHours(inWords ?? '') : readOpeningHours(horaires)
  const hours = read && withHolidaysOff(read)
  const state = hours && openingStateAt(hours, departement, now)
  const notices = hours ? noticesOf(hours, state?.today ?? todayInParis(now), departement) : []
  const hasHours = details !== null && (horaires ?? inWords) !== undefined
  return html`<div class="titled"><h2 id="mairie">${state ? stateInWords(state) : t.commune.mairie}</h2>${hasHours && html`<a href="${details}">${t.commune.hours}</a>`}</div>
${
  notices.length > 0 &&
  html`<ul class="plain notices">${notices.map((line) => html`<li><strong>${line}</strong></li>`)}</ul>
`
}${waysTo(infos)}${
  (infos.telephone || infos.adresse) &&
  html`
<p class="meta roomy">${[infos.telephone, infos.adresse].filter(Boolean).join(' · ')}</p>`
}`
}

/** "Mairie ouverte jusqu’à 12 h, puis dès 13 h 30", "Mairie fermée, ouvre vendredi à 8 h 30". */
function stateInWords({ isOpen, isHoliday, isClosedByDate, today, change, following }: OpeningState): Markup {
  const at = change && timeInWords(change.minute)
  const again = following?.date === today && t.hours.again(timeInWords(following.minute))
  if (isOpen)
    return html`${t.commune.mairieShort} <span class="open">${t.hours.isOpen}</span>${change && ` ${t.hours.until(change.date === today ? (at ?? '') : `${dayAhead(change.date, today)} ${at}`)}`}${again && `, ${again}`}`
  const opens = change && t.hours.opens(change.date === today ? '' : dayAhead(change.date, today), at ?? '')
  return html`${t.commune.mairieShort} ${isClosedByDate ? t.hours.closedToday : t.hours.isClosed}${isHoliday && !isClosedByDate && ` (${t.hours.holiday})`}${opens && `, ${opens}`}`
}

function waysTo({ telephone, email, adresse }: Infos): Markup | false {
  const ways = [
    telephone && html`<a href="tel:${telephone.replace(/[^+\d]/g, '')}">${t.commune.call}</a>`,
    email && html`<a href="mailto:${encodeURI(email)}">${t.commune.write}</a>`,
    adresse && routeLink(adresse),
  ].filter((way) => way !== null && way !== '')
  return (
    ways.length > 0 &&
    html`<ul class="ways">
${ways.map(
  (way) => html`<li>${way}</li>
`,
)}</ul>`
  )
}
