const months = [
  ['janv', 'jan'],
  ['fevr', 'fev', 'feb'],
  ['mars', 'mar'],
  ['avr', 'apr'],
  ['mai', 'may'],
  ['juin', 'jun'],
  ['juil', 'jul'],
  ['aout', 'aug'],
  ['sept', 'sep'],
  ['oct'],
  ['nov'],
  ['dec'],
]

const numbers = /\b(?:(\d{4})-(\d{2})-(\d{2})|(\d{1,2})[/.](\d{1,2})(?:[/.](\d{2,4}))?)\b/g
const words = /\b(\d{1,2})(?:er)?\s+([a-z]{3,9})\.?(?:\s+(\d{4}))?/g

/**
 * Reads the dates of a text, as town halls have them in tables and mails: "12/12", "12.12.2026", "2026-12-12", "1er décembre".
 * A date without a year is the next such day from `today` on. Returns them in order, each once.
 */
export function datesIn(text: string, today: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const found = [
    ...[...plain.matchAll(numbers)].map(([, year, month, day, d, m, y]) =>
      year ? dayOf(year, month, day) : dated(y, m, d, today),
    ),
    ...[...plain.matchAll(words)].map(([, day, name = '', year]) => {
      const month = months.findIndex((beginnings) => beginnings.some((one) => name.startsWith(one)))
      return month < 0 ? null : dated(year, String(month + 1), day, today)
    }),
  ]
  return [...new Set(found.filter((date) => date !== null))].sort()
}

function dated(year = '', month = '', day = '', today = ''): string | null {
  if (year !== '') return dayOf(year.length === 2 ? `20${year}` : year, month, day)
  const thisYear = Number(today.slice(0, 4))
  const next = dayOf(String(thisYear), month, day)
  return next !== null && next < today ? dayOf(String(thisYear + 1), month, day) : next
}

/** Null for a day that does not exist. */
function dayOf(year = '', month = '', day = ''): string | null {
  const date = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date) ? date : null
}
