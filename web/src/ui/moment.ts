/** Time zone of all date and time fields. */
export const zone = 'Europe/Paris'

/** Returns a time on this day, noon in UTC, which is the same day in Paris. */
export const noonOf = (day: string) => new Date(`${day}T12:00:00Z`)

/** Returns the day of a time in Paris, as YYYY-MM-DD. */
export const dayInParis = (at: Date) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(at)

/** Writes the first day of a month as French does, "1er"; `Intl` writes "1". Other languages stay as they are. */
export const withFirst = (day: string): string => day.replace(frenchFirst, '$11er$2')

const frenchFirst =
  /(^|\s)1(\s(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b)/gu
