import { type Rule, readOpeningHours } from '../modules/defibrillateurs/hours/opening-hours.ts'
import { html, type Markup } from './html.ts'
import { t } from './text.ts'

/** Returns opening hours in words, a line for each rule in its order; null if they cannot be read. */
export function hoursInWords(text: string): string[] | null {
  const hours = readOpeningHours(text)
  if (hours === null) return null
  return hours === 'always' ? [t.hours.always] : hours.map(lineOf)
}

/** The row of opening hours in a list of contacts, a line for each rule; none if there are none that can be read. */
export function hoursRow(horaires: string | null): [string, Markup][] {
  const lines = horaires === null ? null : hoursInWords(horaires)
  return lines === null
    ? []
    : [[t.acteurs.hours, html`<ul class="plain">${lines.map((line) => html`<li>${line}</li>`)}</ul>`]]
}

const lineOf = ({ days, holidays, spans }: Rule): string => {
  const named = [...daysInWords(days), ...(holidays ? [t.hours.holidays] : [])]
  const when = named.length === 0 ? t.hours.everyDay : named.join(', ')
  const times = spans.map(
    ({ from, to }) => `${timeInWords(from)} – ${timeInWords(to > dayMinutes ? to - dayMinutes : to)}`,
  )
  return `${when.charAt(0).toUpperCase()}${when.slice(1)}\u00a0: ${times.length === 0 ? t.hours.closed : times.join(', ')}`
}

const dayMinutes = 1_440

/** Names runs of three days and more by the first and the last. */
function daysInWords(days: ReadonlySet<number> | null): string[] {
  const runs: number[][] = []
  for (const day of [...(days ?? [])].toSorted((one, other) => one - other)) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const name = (day: number | undefined) => t.hours.days[day ?? 0] ?? ''
  return runs.flatMap((run) =>
    run.length > 2 ? [t.hours.fromTo(name(run[0]), name(run.at(-1)))] : run.map(name),
  )
}

/** `8 h 30`, `12 h` */
export const timeInWords = (minutes: number): string => {
  const minute = minutes % 60
  return `${Math.floor(minutes / 60)}\u00a0h${minute === 0 ? '' : `\u00a0${String(minute).padStart(2, '0')}`}`
}
