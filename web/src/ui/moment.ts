/** Time zone of all date and time fields. */
export const zone = 'Europe/Paris'

/** Returns a time on this day, noon in UTC, which is the same day in Paris. */
export const noonOf = (day: string) => new Date(`${day}T12:00:00Z`)

/** Returns the day of a time in Paris, as YYYY-MM-DD. */
export const dayInParis = (at: Date) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(at)

/**
 * Writes the first day of a month as "1er" and an hour after a day as "18 h 30", as French does; `Intl` writes "1" and "18:30".
 * Other languages stay as they are.
 */
export const asFrenchWrites = (day: string): string =>
  day
    .replace(frenchFirst, '$11er$2')
    .replace(frenchHour, (_, hour: string, minute: string) =>
      minute === '00' ? ` à ${Number(hour)} h` : ` à ${Number(hour)} h ${minute}`,
    )

// With seconds it is an exact time.
const frenchHour = / à (\d{2}):(\d{2})(?!:)/gu

const frenchFirst =
  /(^|\s)1(\s(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b)/gu
