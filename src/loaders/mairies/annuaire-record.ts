import type { ContactName } from '../../modules/acteurs/fields.ts'
import { clip, fold, oneLine } from '../../platform/formats/text.ts'
import { findFlaw } from '../flaws.ts'
import { isObject } from '../json.ts'

/** Formats "Du lundi au vendredi de 9 h à 12 h et de 14 h à 17 h 30, le samedi de 9 h à 12 h"; null without hours. */
function hoursText(ranges: unknown): string | null {
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

/** How a mairie is reached, and its number: a contact that acteurs get must be read here too. */
export type Identity = Record<ContactName | 'siret', string | null>
export type MairieSource = {
  code: string
  nom: string
  horaires: string | null
} & Identity
export type MairieReading =
  | { kind: 'mairie'; mairie: MairieSource }
  | { kind: 'set aside' }
  | { kind: 'refused'; reason: string }

/** Reads an Annuaire record: a mairie, another service, or the reason why it is invalid. */
export function readMairie(value: unknown): MairieReading {
  if (!isObject(value)) return { kind: 'refused', reason: 'it is not an object' }
  const nom = text(value.nom)
  try {
    const pivots = list(value, 'pivot').filter(isObject)
    if (!isMairie(nom, pivots)) return { kind: 'set aside' }
    const code = text(value.code_insee_commune) || text(firstOf(pivots[0]?.code_insee_commune))
    if (code === '') return { kind: 'refused', reason: 'code_insee_commune is missing' }
    const mairie = { code, nom, ...readContact(value), siret: readSiret(value.siret) }
    const flaw = findFlaw(Object.entries(mairie))
    return flaw === null ? { kind: 'mairie', mairie } : { kind: 'refused', reason: flaw }
  } catch (error) {
    if (error instanceof SyntaxError)
      return { kind: 'refused', reason: `${error.message} is not the JSON it should be` }
    throw error
  }
}

const mairieTypes = new Set(['mairie', 'mairie_com', 'paris_mairie'])
/** The Annuaire also lists mairies of parts of communes. */
const partWords = /\b(deleguees?|annexes?|associees?|arrondissements?|mobile)\b/

function isMairie(nom: string, pivots: Record<string, unknown>[]): boolean {
  if (partWords.test(fold(nom))) return false
  // An extract may lack the column; then the name decides.
  if (pivots.length === 0) return /^mairie\b/.test(fold(nom))
  return pivots.some(({ type_service_local }) => mairieTypes.has(text(type_service_local)))
}

function readContact(value: Record<string, unknown>): Omit<MairieSource, 'code' | 'nom' | 'siret'> {
  return {
    adresse: clipped(readAddress(list(value, 'adresse').filter(isObject)), 500),
    telephone: clipped(values(value, 'telephone')[0], 50),
    email: emails(value.adresse_courriel)[0] ?? null,
    site_web: clipped(values(value, 'site_internet').find(isWebAddress), 500),
    horaires: hoursText(list(value, 'plage_ouverture')),
  }
}

/** Some records group the digits. What is no SIRET is left out. */
function readSiret(value: unknown): string | null {
  const digits = text(value).replaceAll(' ', '')
  return /^[0-9]{14}$/.test(digits) ? digits : null
}

function readAddress(addresses: Record<string, unknown>[]): string {
  const address = addresses.find(({ type_adresse }) => text(type_adresse) === 'Adresse') ?? addresses[0] ?? {}
  const word = (key: string) => text(address[key])
  const town = [word('code_postal'), word('nom_commune')].filter(Boolean).join(' ')
  const lines = ['complement1', 'complement2', 'numero_voie', 'service_distribution'].map(word)
  return [...lines, town].filter(Boolean).join(', ')
}

/** Reads a list, or a list as JSON in a string, as in the API's exports. */
function list(value: Record<string, unknown>, key: string): unknown[] {
  const given = value[key]
  if (given === undefined || given === null || given === '') return []
  const parsed = typeof given === 'string' ? parse(given) : given
  if (!Array.isArray(parsed)) throw new SyntaxError(key)
  return parsed

  function parse(json: string): unknown {
    try {
      return JSON.parse(json)
    } catch {
      throw new SyntaxError(key)
    }
  }
}

function values(value: Record<string, unknown>, key: string): string[] {
  return list(value, key).flatMap((item) => text(isObject(item) ? item.valeur : item) || [])
}

function emails(value: unknown): string[] {
  const given = Array.isArray(value) ? value : [value]
  return given
    .flatMap((item) => text(item).split(/[;,\s]+/))
    .filter((address) => emailForm.test(address) && address.length <= 254)
}

const emailForm = /^[^\s@"[\]]+@[^\s@"[\]]+\.[^\s@"[\]]+$/

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol)
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}

function text(value: unknown): string {
  return typeof value === 'string' ? oneLine(value) : ''
}

function clipped(value: string | undefined, length: number): string | null {
  return value ? clip(value, length) : null
}
