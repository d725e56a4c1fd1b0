/**
 * Opening hours of either generation. The present one is in the syntax of OpenStreetMap already; of the former columns
 * `24h/24` alone tells hours, on the days that are named: all else stays words, which nobody reads as hours.
 */
export function readAvailability(
  hours: string | null,
  days: string | null,
  times: string | null,
): string | null {
  // Most of the registry has this, and means that nobody has said.
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

/** Of an array as PostgreSQL writes it: `{lundi,"jours fériés"}`; of JSON too. */
function elements(text: string | null): string[] {
  if (text === null) return []
  const inside = /^[{[](.*)[}\]]$/s.exec(text)?.[1] ?? text
  return inside
    .split(',')
    .map((part) => part.replace(/["']/g, '').trim())
    .filter((part) => part !== '' && part !== 'NULL')
}
