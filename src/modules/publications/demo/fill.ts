import { JOURS } from '../../communes/calendar.ts'
import { nameMairie } from '../../communes/mairie-name.ts'
import type { DemoTexte } from './form.ts'
import type { DemoLieu } from './lieux.ts'

/** What the braces of a text are filled in with. */
export type DemoScene = {
  commune: string
  lieu: DemoLieu
  maire: string
  telephone: string
  email: string
}

export type Filled = { title: string; body: string; date_debut: string | null; date_fin: string | null }

/** A text made one of this place and these days. `shift` days later, so that neighbours do not all feast at once. */
export function fillTexte(
  texte: DemoTexte,
  scene: DemoScene,
  now: Date,
  shift: number,
  html: boolean,
): Filled {
  const first = texte.offset === null ? null : firstDay(texte, now, shift)
  const last = first === null || texte.duration === null ? null : addDays(first, texte.duration)
  const { lieu, commune, maire, telephone, email } = scene
  const words: Record<string, string> = {
    ...lieu,
    du_quartier: lieu.quartier,
    a_commune: aCommune(commune),
    de_commune: nameMairie(commune).slice('Mairie '.length),
    maire,
    tel: telephone,
    email,
    jour: first === null ? '' : inWords(first),
    fin: last === null ? '' : inWords(last),
  }
  // The register writes names with the typewriter's apostrophe.
  const word = (slot: string, name: string) => words[name]?.replaceAll("'", '’') || slot
  const fill = (text: string) => capital(text.replaceAll(/\{(\w+)\}/g, word))
  const lines = texte.lines.map((line) => (line.startsWith('- ') ? `- ${fill(line.slice(2))}` : fill(line)))
  const rich = html || lines.some((line) => line.startsWith('- ') || line.includes('**'))
  return {
    title: fill(texte.title),
    body: rich ? asHtml(lines) : lines.join('\n\n'),
    date_debut: first === null ? null : iso(first),
    date_fin: last === null ? null : iso(last),
  }
}

/** The day itself, or the next such weekday; in the past, the one before. */
function firstDay({ offset, jour }: DemoTexte, now: Date, shift: number): Date {
  const past = (offset ?? 0) < 0
  const day = addDays(now, (offset ?? 0) + (past ? 0 : shift))
  if (jour === null) return day
  const ahead = (JOURS.indexOf(jour) + 1 - day.getUTCDay() + 7) % 7
  return addDays(day, past && ahead > 0 ? ahead - 7 : ahead)
}

function asHtml(lines: string[]): string {
  return lines
    .map((line) => line.replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>'))
    .map((line) => (line.startsWith('- ') ? `<li>${line.slice(2)}</li>` : `<p>${line}</p>`))
    .join('')
    .replaceAll(/(?:<li>.*?<\/li>)+/g, (items) => `<ul>${items}</ul>`)
}

/** "à Lyon", "au Havre", "aux Sables-d’Olonne". */
function aCommune(commune: string): string {
  if (commune.startsWith('Le ')) return `au ${commune.slice(3)}`
  return commune.startsWith('Les ') ? `aux ${commune.slice(4)}` : `à ${commune}`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const addDays = (day: Date, days: number) => new Date(day.getTime() + days * 24 * 3_600_000)
const iso = (day: Date) => day.toISOString().slice(0, 10)

const calendar = new Intl.DateTimeFormat('fr', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})
const inWords = (day: Date) => calendar.format(day).replace(' 1 ', ' 1er ')
