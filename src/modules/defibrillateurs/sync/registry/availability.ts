/**
 * Reads opening hours from the current column, in OpenStreetMap syntax, or from the two former ones. Of
 * those, only `24h/24` is converted to hours, on the days named; everything else stays free text.
 */
export function readAvailability(
  hours: string | null,
  days: string | null,
  times: string | null,
): string | null {
  // Most of the registry has this value as a placeholder for unknown hours.
  if (hours !== null) return /^(mo ?- ?su )?(off|closed);?$/i.test(hours) ? null : hours
  const named = elements(days)
  const at = elements(times)
  if (at.length === 1 && /^24 ?h ?\/ ?24$/i.test(at[0] ?? '')) {
    if (named.some((day) => /^7 ?j ?\/ ?7$/i.test(day))) return '24/7'
    const short = named.flatMap((day) => shortNames.get(day.toLowerCase()) ?? [])
    if (short.length > 0) return `${short.join(',')} 00:00-24:00`
  }
  const words = [named.join(', '), at.join(', ')].filter(Boolean).join(' : ')
  return words || null
}

const shortNames = new Map([
  ['lundi', 'Mo'],
  ['mardi', 'Tu'],
  ['mercredi', 'We'],
  ['jeudi', 'Th'],
  ['vendredi', 'Fr'],
  ['samedi', 'Sa'],
  ['dimanche', 'Su'],
  ['jours fériés', 'PH'],
])

/** Parses a PostgreSQL array literal (`{lundi,"jours fériés"}`) or a JSON array. */
function elements(text: string | null): string[] {
  if (text === null) return []
  const inside = /^[{[](.*)[}\]]$/s.exec(text)?.[1] ?? text
  return inside
    .split(',')
    .map((part) => part.replace(/["']/g, '').trim())
    .filter((part) => part !== '' && part !== 'NULL')
}
