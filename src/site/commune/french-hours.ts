import type { Rule } from '../../modules/defibrillateurs/hours/opening-hours.ts'

const names = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']
const day = `(?:${names.join('|')})s?`
const hour = String.raw`(?:midi|\d{1,2} ?h(?: ?\d{2})?)`
const and = '(?: et |, et |, )'
const days = `(?:du ${day} au ${day}|(?:les? )?${day}(?:${and}(?:les? )?${day})*)`
const span = `de ${hour} à ${hour}`
const part = new RegExp(`^(?<days>${days}),? (?<spans>${span}(?: et ${span})*)(?:[,;] ?(?:et )?| et |\\.?$)`)

/**
 * Reads opening hours as the directory of public services writes them: "Du lundi au vendredi de 8 h 30 à 12 h et de 13 h 30
 * à 17 h, le samedi de 9 h à 12 h". Null where a word is not understood: it may be an exception.
 */
export function readFrenchHours(text: string): Rule[] | null {
  let rest = text.toLowerCase().replace(/\s+/g, ' ').replaceAll(' ;', ';').trim()
  const rules: Rule[] = []
  const seen = new Set<number>()
  while (rest !== '') {
    const found = part.exec(rest)
    if (found === null) return null
    const days = daysOf(found.groups?.days ?? '')
    const spans = spansOf(found.groups?.spans ?? '')
    // A day that is named twice has hours of which one may be an exception.
    if (spans === null || days.some((one) => seen.has(one))) return null
    for (const one of days) seen.add(one)
    rules.push({ periods: null, days: new Set(days), holidays: false, spans, adds: false })
    rest = rest.slice(found[0].length).trim()
  }
  return rules.length === 0 ? null : rules
}

function daysOf(text: string): number[] {
  const named = [...text.matchAll(new RegExp(day, 'g'))].map(([name]) =>
    names.indexOf(name.replace(/s$/, '')),
  )
  const [from = 0, to = 0] = named
  if (!text.startsWith('du ')) return named
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => (from + at) % 7)
}

function spansOf(text: string): { from: number; to: number }[] | null {
  const minutes = [...text.matchAll(new RegExp(hour, 'g'))].map(([found]) => minuteOf(found))
  const spans = Array.from({ length: minutes.length / 2 }, (_, at) => ({
    from: minutes[2 * at] ?? 0,
    to: minutes[2 * at + 1] ?? 0,
  }))
  return spans.every(({ from, to }) => from < to && to <= 1_440) ? spans : null
}

function minuteOf(text: string): number {
  if (text === 'midi') return 720
  const [hours, minutes = '0'] = text.split('h')
  return Number(hours) * 60 + Number(minutes.trim() || 0)
}
