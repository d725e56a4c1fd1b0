// Built once: creating a formatter costs a hundred times more than using it.
const parisDay = new Intl.DateTimeFormat('en', {
  timeZone: 'Europe/Paris',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

const parisClock = new Intl.DateTimeFormat('fr', {
  timeZone: 'Europe/Paris',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Returns the time in Paris, formatted as 20:30. */
export function clockInParis(moment: Date): string {
  const parts = Object.fromEntries(parisClock.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${parts.hour}:${parts.minute}`
}

const hourMs = 3_600_000
let last = { hour: Number.NaN, day: '' }

/** Remembers the last answer: a day in Paris begins with an hour of UTC, and formatting costs as much as a statement. */
export function todayInParis(now: Date): string {
  const hour = Math.floor(now.getTime() / hourMs)
  if (hour !== last.hour) last = { hour, day: dayInParis(now) }
  return last.day
}

/** Returns the day in Paris of a moment. */
export function dayInParis(moment: Date): string {
  // By parts, because no locale guarantees ISO dates.
  const parts = Object.fromEntries(parisDay.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${parts.year}-${parts.month}-${parts.day}`
}
