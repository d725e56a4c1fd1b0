import { isPublicHoliday } from '../../../../../../src/platform/time/public-holidays.ts'
import { daysLater, monthOf, monthsLater, workingDayAfter } from '../../../communes/collectes/days.ts'
import type { Proposal } from '../queries.ts'

/** A collection that is being filled in. `settled`: its dates on public holidays that take place. */
export type Filled = { libelle: string; type_dechet: string; dates: string[]; settled: string[] }

/**
 * Twelve months from a month on, and the collections of a calendar. `active`: the name of the one that is filled in; `read`:
 * the PDF that proposes them.
 */
export type Grid = {
  from: string
  active: string
  collectes: Filled[]
  read?: { name: string; notes: Proposal['notes'] }
}

export const emptyGrid = (today: string): Grid => ({ from: monthOf(today), active: '', collectes: [] })

/** Returns what a PDF proposes, to be confirmed or mended. */
export const proposedGrid = ({ du, collectes, notes }: Proposal, name: string): Grid => ({
  from: monthOf(du),
  active: collectes[0]?.libelle ?? '',
  collectes: collectes.map((one) => ({ ...one, settled: [] })),
  read: { name, notes },
})

/** The name of the draft of a calendar, which stays on the device until it is emptied. */
export const draftOf = (acteurId: string) => `collectes.${acteurId}.grid`

/** Returns a calendar as its draft is stored. */
export const draftText = (grid: Grid, today: string) =>
  JSON.stringify({ base: emptyGrid(today), mine: grid, key: crypto.randomUUID() })

export const activeOf = ({ active, collectes }: Grid) =>
  collectes.find(({ libelle }) => libelle === active) ?? collectes[0]

export const monthsOf = (from: string) =>
  Array.from({ length: 12 }, (_, index) => monthOf(monthsLater(`${from}-01`, index)))
export const firstDay = (from: string) => `${from}-01`
export const lastDay = (from: string) => daysLater(monthsLater(`${from}-01`, 12), -1)

export const hasName = ({ collectes }: Grid, name: string) =>
  collectes.some(({ libelle }) => libelle.toLowerCase() === name.trim().toLowerCase())

export const withCollecte = (grid: Grid, one: Filled): Grid => ({
  ...grid,
  active: one.libelle,
  collectes: [...grid.collectes, one],
})

export const withoutCollecte = (grid: Grid, name: string): Grid => {
  const collectes = grid.collectes.filter(({ libelle }) => libelle !== name)
  return { ...grid, collectes, active: collectes[0]?.libelle ?? '' }
}

/** Changes the collection that is filled in. */
export const withActive = (grid: Grid, change: (one: Filled) => Partial<Filled>): Grid => {
  const active = activeOf(grid)
  return {
    ...grid,
    collectes: grid.collectes.map((one) => (one === active ? { ...one, ...change(one) } : one)),
  }
}

const sorted = (dates: Iterable<string>) => [...new Set(dates)].sort()

export const toggled = (dates: readonly string[], day: string) =>
  dates.includes(day) ? dates.filter((one) => one !== day) : sorted([...dates, day])

/** Adds a day, and every so many weeks later one more, until the last day. */
export function repeated(dates: readonly string[], day: string, weeks: number, last: string): string[] {
  const added: string[] = []
  for (let next = day; next <= last; next = daysLater(next, 7 * weeks)) added.push(next)
  return sorted([...dates, ...added])
}

/** Returns the public holidays of départements in the twelve months, and of the week after. */
export function holidaysOf(from: string, departements: Iterable<string>): Set<string> {
  const found = new Set<string>()
  const last = daysLater(lastDay(from), 7)
  for (let day = firstDay(from); day <= last; day = daysLater(day, 1)) {
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
    for (const one of departements) if (isPublicHoliday(one, year, month, date)) found.add(day)
  }
  return found
}

/** Returns the département of a commune by its code. */
export const departementOf = (codeInsee: string) => codeInsee.slice(0, codeInsee.startsWith('97') ? 3 : 2)

/** What becomes of collections on public holidays. */
export const holidayWays = ['nextDay', 'dropped', 'kept'] as const
export type HolidayWay = (typeof holidayWays)[number]

/** Returns the dates on public holidays that nobody has decided on. */
export const openHolidays = ({ dates, settled }: Filled, holidays: ReadonlySet<string>) =>
  dates.filter((date) => holidays.has(date) && !settled.includes(date))

export function decided(one: Filled, way: HolidayWay, holidays: ReadonlySet<string>): Partial<Filled> {
  const open = openHolidays(one, holidays)
  if (way === 'kept') return { settled: sorted([...one.settled, ...open]) }
  const rest = one.dates.filter((date) => !open.includes(date))
  return {
    dates:
      way === 'dropped' ? rest : sorted([...rest, ...open.map((date) => workingDayAfter(date, holidays))]),
  }
}

/** Returns the calendar as the service reads it. */
export const fileOf = ({ collectes }: Grid) =>
  new File(
    [
      JSON.stringify({
        collectes: collectes.map(({ libelle, type_dechet, dates, settled }) => ({
          ...{ type_dechet, libelle, mode: 'porte_a_porte', dates },
          exceptions: settled
            .filter((date) => dates.includes(date))
            .map((date) => ({ date, reportee_au: date })),
        })),
      }),
    ],
    'calendrier.json',
    { type: 'application/json' },
  )
