/** Days and Paris hours of an event. An end of 00:00 is the end of its last day. */
export type When = {
  date_debut: string | null
  date_fin: string | null
  heure_debut: string | null
  heure_fin: string | null
}

/** Limit on lines of the paragraph; it only counts further times. */
const maxLines = 20

/** Returns a paragraph with a line per time ("Le mardi 1er décembre, à 20 h 30"); null without hours. */
export function hoursParagraph(times: When[]): string | null {
  const lines = times.flatMap((when) => lineOf(when) ?? [])
  if (lines.length === 0) return null
  const more = lines.length - maxLines
  const rest = more > 0 ? [`et ${more} ${more > 1 ? 'autres dates' : 'autre date'}`] : []
  return `<p>${[...lines.slice(0, maxLines), ...rest].join('<br />')}</p>`
}

/** Removes the hours paragraph from a body: an import added it, the source did not write it. */
export const withoutHours = (body: string): string => body.replace(paragraph, '')

function lineOf({ date_debut, date_fin, heure_debut, heure_fin }: When): string | null {
  if (date_debut === null || heure_debut === null) return null
  const first = dayInWords(date_debut)
  const begin = hourInWords(heure_debut)
  const end = heure_fin === null ? null : hourInWords(heure_fin)
  if (date_fin === null || date_fin === date_debut)
    return end === null ? `Le ${first}, à ${begin}` : `Le ${first}, de ${begin} à ${end}`
  return `Du ${first} à ${begin} au ${dayInWords(date_fin)}${end === null ? '' : ` à ${end}`}`
}

const weekdays = ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi']
const months = [
  ...['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août', 'septembre', 'octobre'],
  ...['novembre', 'décembre'],
]

function dayInWords(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  const number = date.getUTCDate()
  return `${weekdays[date.getUTCDay()]} ${number === 1 ? '1er' : number} ${months[date.getUTCMonth()]}`
}

function hourInWords(hour: string): string {
  const [hours = '', minutes = ''] = hour.split(':')
  if (hour === '00:00') return 'minuit'
  return minutes === '00' ? `${Number(hours)} h` : `${Number(hours)} h ${minutes}`
}

const day = `(?:${weekdays.join('|')}) \\d{1,2}(?:er)? (?:${months.join('|')})`
const hour = '(?:minuit|\\d{1,2} h(?: \\d{2})?)'
const line = `(?:Le ${day}, (?:de ${hour} à ${hour}|à ${hour})|Du ${day} à ${hour} au ${day}(?: à ${hour})?)`
const paragraph = new RegExp(`^<p>${line}(?:<br />${line})*(?:<br />et \\d+ autres? dates?)?</p>`)
