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
import { pictogram } from '../look/pictograms.ts'
import { routeTo } from '../rows.ts'
import { capital, dayAhead, t } from '../text.ts'
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
  return html`<h2 id="mairie">${t.commune.mairie}</h2>
${
  state
    ? html`<p class="${state.isOpen ? 'open' : 'shut'}">${stateInWords(state)}</p>
`
    : !hasHours &&
      html`<p class="soft">${infos.telephone ? t.hours.unknownCall : t.hours.unknown}</p>
`
}${
  notices.length > 0 &&
  html`<ul class="plain notices">${notices.map((line) => html`<li><strong>${line}</strong></li>`)}</ul>
`
}${waysTo(infos)}${
  hasHours &&
  html`<p class="small"><a href="${details}">${t.commune.hours}</a></p>
`
}`
}

/** "Ouverte jusqu’à 12 h, puis dès 13 h 30", "Fermée, ouvre vendredi à 8 h 30". */
function stateInWords({ isOpen, isHoliday, isClosedByDate, today, change, following }: OpeningState): string {
  const at = change && timeInWords(change.minute)
  const again = following?.date === today && t.hours.again(timeInWords(following.minute))
  if (isOpen) {
    const until = change && (change.date === today ? (at ?? '') : `${dayAhead(change.date, today)} ${at}`)
    return `${capital(t.hours.isOpen)}${until ? ` ${t.hours.until(until)}` : ''}${again ? `, ${again}` : ''}`
  }
  const opens = change && t.hours.opens(change.date === today ? '' : dayAhead(change.date, today), at ?? '')
  const reason = isHoliday && !isClosedByDate ? ` (${t.hours.holiday})` : ''
  return `${capital(isClosedByDate ? t.hours.closedToday : t.hours.isClosed)}${reason}${opens ? `, ${opens}` : ''}`
}

function waysTo({ telephone, email, adresse }: Infos): Markup | false {
  const ways = [
    telephone &&
      html`<a href="tel:${telephone.replace(/[^+\d]/g, '')}">${pictogram('phone')}${t.commune.call}</a>`,
    email && html`<a href="mailto:${encodeURI(email)}">${pictogram('mail')}${t.commune.write}</a>`,
    adresse && html`<a href="${routeTo(adresse)}">${pictogram('place')}${t.commune.goThere}</a>`,
  ].filter((way) => way !== null && way !== '')
  return (
    ways.length > 0 &&
    html`<ul class="ways three">
${ways.map(
  (way) => html`<li>${way}</li>
`,
)}</ul>`
  )
}
