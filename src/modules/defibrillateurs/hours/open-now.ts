import { isLocalHoliday, isPublicHoliday } from '../../../platform/time/public-holidays.ts'
import { type Day, isOpenAt, readOpeningHours } from './opening-hours.ts'

/** The decisions of the last minute that was asked about: the responses of a minute show the same opening hours. */
let last: { minute: number; isOpen: ReturnType<typeof decisionsAt> } | null = null
/** Bounds the decisions remembered. A country has a few thousand different opening hours. */
const maxKnown = 10_000

/**
 * Returns a function that decides whether a device is accessible at `now`, by the local time and public
 * holidays of its département; null: unknown.
 */
export function openAt(now: Date) {
  const minute = Math.floor(now.getTime() / 60_000)
  if (last?.minute !== minute) last = { minute, isOpen: decisionsAt(now) }
  return last.isOpen
}

function decisionsAt(now: Date) {
  const known = new Map<string, boolean | null>()
  const clocks = new Map<string, ReturnType<typeof readClock>>()

  function decide(disponibilite: string, departement: string | null): boolean | null {
    const hours = readOpeningHours(disponibilite)
    if (hours === null || hours === 'always') return hours && true
    // Without a département the local time is unknown.
    if (departement === null) return null
    const zone = zoneOf(departement)
    const clock = clocks.get(zone) ?? readClock(now, zone)
    clocks.set(zone, clock)
    // A holiday in only some communes of the département: known only if both cases agree.
    const answers = calendarDays(clock.today, departement).flatMap((today) =>
      calendarDays(clock.yesterday, departement).map((before) =>
        isOpenAt(hours, clock.minute, today, before),
      ),
    )
    return answers.every((open) => open === answers[0]) ? (answers[0] ?? null) : null
  }

  return ({ disponibilite, departement }: Availability): boolean | null => {
    if (disponibilite === null) return null
    const key = `${departement} ${disponibilite}`
    const before = known.get(key)
    if (before !== undefined) return before
    const open = decide(disponibilite, departement)
    if (known.size >= maxKnown) known.clear()
    known.set(key, open)
    return open
  }
}

type Availability = { disponibilite: string | null; departement: string | null }

/** Time zones of overseas départements; all others use Europe/Paris. */
const zones: Record<string, string> = {
  '971': 'America/Guadeloupe',
  '972': 'America/Martinique',
  '973': 'America/Cayenne',
  '974': 'Indian/Reunion',
  '975': 'America/Miquelon',
  '976': 'Indian/Mayotte',
  '977': 'America/St_Barthelemy',
  '978': 'America/Marigot',
  '986': 'Pacific/Wallis',
  '987': 'Pacific/Tahiti',
  '988': 'Pacific/Noumea',
}

const zoneOf = (departement: string) => zones[departement] ?? 'Europe/Paris'

/** Returns the local time of a département: the minute of the day, and the calendar day as midnight UTC. */
export const clockOf = (now: Date, departement: string) => readClock(now, zoneOf(departement))

// Caches a formatter per zone: creating one costs a hundred times more than using it.
const formats = new Map<string, Intl.DateTimeFormat>()

function readClock(now: Date, timeZone: string) {
  const numeric = 'numeric'
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      hourCycle: 'h23',
    })
  formats.set(timeZone, format)
  const parts = format.formatToParts(now).map(({ type, value }) => [type, Number(value)])
  const { year, month, day, hour, minute } = Object.fromEntries(parts)
  // Calendar days, stored as midnight UTC.
  const today = new Date(Date.UTC(year, month - 1, day))
  const yesterday = new Date(Date.UTC(year, month - 1, day - 1))
  return { minute: hour * 60 + minute, today, yesterday }
}

/** Returns a calendar day as opening hours see it: twice where it is a holiday of some communes of the département only. */
export function calendarDays(date: Date, departement: string): Day[] {
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const
  const weekday = (date.getUTCDay() + 6) % 7
  const ordinary = { date: date.toISOString().slice(0, 10), weekday, isHoliday: false }
  const holiday = { ...ordinary, isHoliday: true }
  if (isLocalHoliday(departement, ...day)) return [ordinary, holiday]
  return [isPublicHoliday(departement, ...day) ? holiday : ordinary]
}
