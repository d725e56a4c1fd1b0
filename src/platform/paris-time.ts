// Built once: making a formatter costs a hundred times more than using it.
const parisDay = new Intl.DateTimeFormat('en', {
  timeZone: 'Europe/Paris',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

export function todayInParis(now: Date): string {
  // By parts, since no locale promises to keep writing ISO dates.
  const parts = Object.fromEntries(parisDay.formatToParts(now).map(({ type, value }) => [type, value]))
  return `${parts.year}-${parts.month}-${parts.day}`
}
