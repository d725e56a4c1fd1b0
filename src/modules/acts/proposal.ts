import type { Static } from 'typebox'
import { DateOnly, nullable, oneOf, textOrNull, titled } from '../../platform/http/validation/schemas.ts'
import { actKinds, ManagedAct, maxima } from './schema.ts'

/**
 * What the text of an act says of it, for a form to start from: its kind, number, title and date. Null where the text does not
 * say it in one of the usual ways. A person confirms it: nothing of it is stored by itself.
 *
 * An act has a head, before its first reason ("Vu …", "Considérant …"). Numbers and dates after it are those of laws and of other
 * acts, save the date beside the signature.
 */
const ActProposal = titled('ActProposal', {
  kind: nullable(oneOf(actKinds, 'What kind of act it is')),
  number: textOrNull('2026-042'),
  title: textOrNull('Subvention à l’école de musique'),
  date: nullable(DateOnly('The day of the session, or of the signature')),
})
type ActProposal = Static<typeof ActProposal>

/** An act of a mairie with the proposal, while it is a draft. */
export const ProposedAct = titled('ProposedAct', {
  ...ManagedAct.properties,
  proposal: nullable(ActProposal),
  text: textOrNull('Le conseil municipal…', 'What its mairie typed, if it is a scan'),
})

type Kind = (typeof actKinds)[number]

/** The first pages: further ones have annexes. */
export const maxRead = 12_000
const maxHeadLines = 60
/** A paragraph has no line breaks in some texts: no title is as long. */
const maxLine = 1_000
const maxTitleLines = 4

/** Derives a proposal from a text. `today`: later days are no dates of acts. */
export function proposalOf(text: string, today: string): ActProposal {
  const lines = linesOf(text)
  const reason = lines.findIndex((line) => /^(vu|considerant|sur (le )?rapport)\b/.test(folded(line)))
  const head = lines.slice(0, Math.min(reason === -1 ? lines.length : reason, maxHeadLines))
  const kind = kindIn(head)
  const date = dateIn(head, lines, today)
  return { kind, number: numberIn(head), title: titleIn(lines, head, kind, date), date }
}

const linesOf = (text: string): string[] =>
  text
    .slice(0, maxRead)
    .normalize('NFC')
    .split(/[\r\n\f]+/)
    .map((line) =>
      line
        .replaceAll(/[\s\u00ad]+/g, ' ')
        .trim()
        .slice(0, maxLine),
    )
    .filter((line) => line !== '')

/** Returns a line in small letters without accents. It is as long as the line: what is found in one is at the same place in the other. */
function folded(line: string): string {
  const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const whole = plain(line).replaceAll('’', "'")
  if (whole.length === line.length) return whole
  return [...line].map((letter) => (plain(letter).length === letter.length ? plain(letter) : letter)).join('')
}

const headings: readonly [RegExp, Kind][] = [
  [/^liste des deliberations\b/, 'liste_des_deliberations'],
  [/^(proces[- ]verbal|compte[- ]rendu)\b/, 'proces_verbal'],
  [/^(budget (primitif|principal|annexe|supplementaire)|compte (administratif|financier))\b/, 'budget'],
  [/^(extraits? du registre des )?(deliberations?|deliberation du conseil)\b/, 'deliberation'],
  [/^(extraits? du registre des )?arretes?\b/, 'arrete'],
  [/^(extraits? du registre des )?decisions?\b/, 'decision'],
]

function kindIn(head: readonly string[]): Kind | null {
  for (const line of head) {
    const found = headings.find(([heading]) => heading.test(folded(line)))
    if (found !== undefined) return found[1]
  }
  return null
}

/** The number after "N°", as `2026-031`, `DEL2026_031`, `31/2026`, `DCM 2026-04-12`. */
const numbered =
  /(?:\bn\s?[°º]|\bnumero|\bref(?:erence)?)\s?(?:de l'acte|d'ordre|de deliberation)?\s?[:.]?\s?((?:[a-z]{1,8}[ _/.-]?)?\d[\da-z]*(?:[_/.-][\da-z]+|\s?[-_/]\s?\d+)*)/
/** Numbers that are those of something else. */
const otherNumber = /\b(siret|siren|loi|decret|tel|telephone|fax|ordonnance|page|article|lot|parcelle)\b/

function numberIn(head: readonly string[]): string | null {
  for (const line of head) {
    const plain = folded(line)
    const found = numbered.exec(plain)
    const [whole, number] = found ?? []
    if (whole === undefined || number === undefined || otherNumber.test(plain.slice(0, found?.index)))
      continue
    const start = (found?.index ?? 0) + whole.length - number.length
    const written = line.slice(start, start + number.length).replaceAll(/\s?([-_/])\s?/g, '$1')
    if (written.length <= maxima.number) return written
  }
  return null
}

const months = [
  ...['janvier', 'fevrier', 'mars', 'avril', 'mai', 'juin'],
  ...['juillet', 'aout', 'septembre', 'octobre', 'novembre', 'decembre'],
]
const units = [
  ...['zero', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'dix', 'onze', 'douze'],
  ...['treize', 'quatorze', 'quinze', 'seize', 'dix-sept', 'dix-huit', 'dix-neuf'],
]
const tens: Record<string, number> = { vingt: 20, trente: 30, quarante: 40, cinquante: 50 }

/** Reads a number below 60 in words: `vingt-six`, `trente et un`, `premier`. */
function numberOf(words: string): number | null {
  const plain = words
    .trim()
    .replaceAll(' ', '-')
    .replace('-et-', '-')
    .replace(/^(le-)?premier$/, 'un')
  if (units.includes(plain)) return units.indexOf(plain)
  const [ten = '', ...rest] = plain.split('-')
  const base = tens[ten]
  const unit = rest.length === 0 ? 0 : units.indexOf(rest.join('-'))
  return base === undefined || unit === -1 || unit > 9 ? null : base + unit
}

const day = String.raw`(\d{1,2})(?:er)?`
const inLetters = new RegExp(String.raw`\b${day} (${months.join('|')}) (\d{4})\b`)
const inDigits = /\b(\d{1,2}) ?[/.-] ?(\d{1,2}) ?[/.-] ?(\d{4})\b/
/** L'an deux mille vingt-six, le douze mars; le jeudi 12 du mois de mars. */
const inWords = new RegExp(
  String.raw`\bl'an (?:deux[ -]mille[ -]([a-z -]+?)|(\d{4}))(?: et)?,? (?:et )?le (?:(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) )?(?:${day}|([a-z-]+(?:[ -](?:et[ -])?[a-z]+){0,2}?))(?: du mois d(?:e |'))? ?(${months.join('|')})\b`,
)

function dateOf(line: string): string | null {
  const letters = inLetters.exec(line)
  if (letters) return dayOf(Number(letters[3]), months.indexOf(letters[2] ?? '') + 1, Number(letters[1]))
  const digits = inDigits.exec(line)
  return digits && dayOf(Number(digits[3]), Number(digits[2]), Number(digits[1]))
}

function dateInWords(text: string): string | null {
  const [, spoken, year, dayInDigits, dayInWords, month] = inWords.exec(text) ?? []
  if (month === undefined) return null
  const shortYear = spoken === undefined ? null : numberOf(spoken)
  const ofDay = dayInDigits === undefined ? numberOf(dayInWords ?? '') : Number(dayInDigits)
  const ofYear = year === undefined ? shortYear && 2_000 + shortYear : Number(year)
  return ofYear === null || ofDay === null ? null : dayOf(ofYear, months.indexOf(month) + 1, ofDay)
}

/** Returns a day as `2026-03-12`; null if there is none. */
function dayOf(year: number, month: number, date: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, date))
  const isDay = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && year >= 1_900
  return isDay ? at.toISOString().slice(0, 10) : null
}

const session = /\b(seance|reunion|session)\b.*\bdu\b/
const ofHeading = /^(extrait|deliberation|arrete|decision|proces|compte|liste)\b.*\bdu\b|^(date|en date)\b/
/** Days around the one that is meant. */
const otherDate =
  /\b(convocation|affichage|publication|transmission|transmis|recu|depot|notification|precedente)\b/
const signed = /\b(fait|signe|delibere)\b.*\ble\b/

function dateIn(head: readonly string[], lines: readonly string[], today: string): string | null {
  const plain = head.map(folded)
  const whole = plain.join(' ')
  /** A date may stand on the line below. */
  const after = (all: readonly string[], at: number) => dateOf(all[at] ?? '') ?? dateOf(all[at + 1] ?? '')
  const first = (mark: RegExp) => {
    for (const [at, line] of plain.entries())
      if (mark.test(line) && !otherDate.test(line)) {
        const found = after(plain, at)
        if (found !== null) return found
      }
    return null
  }
  const bySignature = () => {
    const all = lines.map(folded)
    const at = all.findLastIndex((line) => signed.test(line))
    return at === -1 ? null : after(all, at)
  }
  const found = first(session) ?? dateInWords(whole) ?? first(ofHeading) ?? bySignature()
  return found !== null && found <= today ? found : null
}

const object = /^(objet|titre)( de (la|l')? ?(deliberation|arrete|acte|decision))?\b ?[:.–—-]?/
const aboutWhat =
  /\b(portant|fixant|autorisant|interdisant|reglementant|relatif|relative|modifiant|abrogeant|accordant)\b/
/** What follows a title and is none of it. */
const notTitle =
  /^(l'an|le |la |les |vu|considerant|rapporteur|seance|date|nombre|present|absent|etaient|article|monsieur|madame|m\.|mme|n°|conseillers)/

function titleIn(
  lines: readonly string[],
  head: readonly string[],
  kind: Kind | null,
  date: string | null,
): string | null {
  const at = lines.findIndex((line) => object.test(folded(line)))
  if (at !== -1) {
    const written = (lines[at] ?? '').slice(object.exec(folded(lines[at] ?? ''))?.[0].length).trim()
    const begun = written === '' ? at + 1 : at
    return shortened(continued(written || (lines[at + 1] ?? ''), lines.slice(begun + 1)))
  }
  if (kind === 'arrete' || kind === 'decision') return byPurpose(head, kind)
  if (date === null || (kind !== 'proces_verbal' && kind !== 'liste_des_deliberations')) return null
  const what = kind === 'proces_verbal' ? 'Procès-verbal' : 'Liste des délibérations'
  const [year, month, of] = date.split('-').map(Number) as [number, number, number]
  const spoken = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
  return `${what} de la séance du ${spoken.format(new Date(Date.UTC(year, month - 1, of)))}`
}

/** Reads "Arrêté portant …", also where its purpose stands on a line of its own. */
function byPurpose(head: readonly string[], kind: Kind): string | null {
  for (const [at, line] of head.entries()) {
    const found = aboutWhat.exec(folded(line))
    if (found === null) continue
    const purpose = continued(line.slice(found.index), head.slice(at + 1))
    const first = `${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`
    return shortened(`${kind === 'arrete' ? 'Arrêté' : 'Décision'} ${isShouted(purpose) ? purpose : first}`)
  }
  return null
}

/** Adds the lines that go on: with a small letter, or in capitals as the first one. */
function continued(first: string, rest: readonly string[]): string {
  const title = [first]
  for (const line of rest.slice(0, maxTitleLines - 1)) {
    const goesOn = /^[\p{Ll}\d(«]/u.test(line) || (isShouted(first) && isShouted(line))
    if (!goesOn || notTitle.test(folded(line)) || /[.;]$/.test(title.at(-1) ?? '')) break
    title.push(line)
  }
  return title.join(' ')
}

const isShouted = (line: string) => /\p{Lu}/u.test(line) && !/\p{Ll}/u.test(line)

const shortened = (title: string): string | null =>
  title
    .replace(/[\s.:;]+$/, '')
    .slice(0, maxima.title)
    .trim() || null
