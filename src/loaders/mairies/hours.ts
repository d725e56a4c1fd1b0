import { clip } from '../../platform/formats/text.ts'
import { isObject } from '../json.ts'

/** Formats "Du lundi au vendredi de 9 h à 12 h et de 14 h à 17 h 30, le samedi de 9 h à 12 h"; null without hours. */
export function hoursText(ranges: unknown): string | null {
  if (!Array.isArray(ranges)) return null
  const parts = ranges.flatMap((range) => (isObject(range) ? rangeText(range) : []))
  const text = clip(parts.join(', '), 2_000)
  return text === '' ? null : text.charAt(0).toLocaleUpperCase('fr') + text.slice(1)
}

function rangeText(range: Record<string, unknown>): string[] {
  const word = (key: string) => (typeof range[key] === 'string' ? range[key].trim() : '')
  const days = daysText(word('nom_jour_debut').toLowerCase(), word('nom_jour_fin').toLowerCase())
  const slots = ['1', '2'].flatMap((n) =>
    slotText(word(`valeur_heure_debut_${n}`), word(`valeur_heure_fin_${n}`)),
  )
  const comment = word('commentaire')
  if (days === '' || (slots.length === 0 && comment === '')) return []
  return [[days, slots.join(' et '), comment && `(${comment})`].filter(Boolean).join(' ')]
}

function daysText(first: string, last: string): string {
  if (first === '') return last && `le ${last}`
  return last === '' || last === first ? `le ${first}` : `du ${first} au ${last}`
}

function slotText(from: string, to: string): string[] {
  const [start, end] = [timeText(from), timeText(to)]
  return start === null || end === null ? [] : [`de ${start} à ${end}`]
}

/** "09:00:00" becomes 9 h, "13:30" 13 h 30. */
function timeText(time: string): string | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})/.exec(time) ?? []
  if (hours === undefined) return null
  return `${Number(hours)} h${minutes === '00' ? '' : ` ${minutes}`}`
}
