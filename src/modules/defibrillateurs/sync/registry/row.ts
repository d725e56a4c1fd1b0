import { fold } from '../../../../platform/formats/text.ts'
import { isRealDay } from '../../../../platform/time/days.ts'
import { etats } from '../../etats.ts'
import type { Tally } from '../tally.ts'
import { readAvailability } from './availability.ts'
import { cleanText } from './text.ts'

/** A validated device of the registry. */
export type RegistryRow = {
  gid: string
  nom: string | null
  adresse: string | null
  code_postal: string | null
  commune_nom: string | null
  commune_key: string | null
  registre_code: string | null
  latitude: number | null
  longitude: number | null
  acces: string | null
  acces_libre: boolean | null
  etage: string | null
  acces_complement: string | null
  disponibilite: string | null
  disponibilite_complement: string | null
  etat_fonctionnement: string | null
  photo_url: string | null
  date_installation: string | null
  mis_a_jour_le: string | null
  retenu: boolean
}

/** Columns that are read. A registry has either the current or the former columns of opening hours. */
export const neededColumns = [
  'c_gid',
  'c_nom',
  'c_lat_coor1',
  'c_long_coor1',
  'c_adr_num',
  'c_adr_voie',
  'c_com_cp',
  'c_com_insee',
  'c_com_nom',
  'c_acc',
  'c_etat_fonct',
  'c_etat_valid',
  'c__edit_datemaj',
] as const
export const optionalColumns = [
  'c_acc_lib',
  'c_acc_etg',
  'c_acc_complt',
  'c_disp_complt',
  'c_date_instal',
  'c_doublon',
  'c_etat',
  'c_dispo_horaires',
  'c_disp_j',
  'c_disp_h',
  'c_dae_mobile',
  'cc_photo1',
] as const
export type Column = (typeof neededColumns)[number] | (typeof optionalColumns)[number]

/** Returns the device, or null if it is refused. Drops an invalid value without refusing the device. */
export function readRegistryRow(given: (column: Column) => string, tally: Tally): RegistryRow | null {
  const gid = given('c_gid').trim()
  if (!/^[0-9A-Za-z_.-]{1,50}$/.test(gid))
    return tally.refuse(gid === '' ? 'no_identifier' : 'bad_identifier')
  const text = (column: Column, most: number) => cleanText(given(column), most, tally)
  const commune_nom = text('c_com_nom', 100)
  const code_postal = matching(/^\d{5}$/, padded(given('c_com_cp')))
  const etat_fonctionnement = etatOf(given('c_etat_fonct'), tally)
  const number = text('c_adr_num', 30)
  return {
    gid,
    nom: text('c_nom', 200),
    adresse: [number === '0' ? null : number, text('c_adr_voie', 250)].filter(Boolean).join(' ') || null,
    code_postal,
    commune_nom,
    commune_key: commune_nom && communeKey(commune_nom),
    registre_code: codeOf(given('c_com_insee'), tally),
    ...coordinatesOf(given('c_lat_coor1'), given('c_long_coor1'), tally),
    acces: accesses.get(given('c_acc').trim().toLowerCase()) ?? null,
    acces_libre: truthOf(given('c_acc_lib')),
    etage: text('c_acc_etg', 100),
    acces_complement: text('c_acc_complt', 1_000),
    disponibilite: readAvailability(
      text('c_dispo_horaires', 500),
      text('c_disp_j', 300),
      text('c_disp_h', 300),
    ),
    disponibilite_complement: text('c_disp_complt', 1_000),
    etat_fonctionnement,
    photo_url: photoOf(given('cc_photo1').trim(), tally),
    date_installation: dateOf(given('c_date_instal').trim(), tally),
    mis_a_jour_le: momentOf(given('c__edit_datemaj').trim(), tally),
    retenu:
      isValidated(given('c_etat_valid').trim(), tally) &&
      etat_fonctionnement === 'En fonctionnement' &&
      truthOf(given('c_doublon')) !== true &&
      truthOf(given('c_dae_mobile')) !== true &&
      /^(actif)?$/i.test(given('c_etat').trim()),
  }
}

function isValidated(given: string, tally: Tally): boolean {
  if (given === '') tally.clean('no_validation')
  return /^valid[ée]es?$/i.test(given)
}

const matching = (form: RegExp, text: string) => (form.test(text) ? text : null)
/** Restores the leading zero that spreadsheets drop. */
const padded = (text: string) => (/^\d{4}$/.test(text.trim()) ? `0${text.trim()}` : text.trim())

function codeOf(given: string, tally: Tally): string | null {
  const code = padded(given).toUpperCase()
  if (code === '') return null
  if (!/^\d[\dAB]\d{3}$/.test(code)) tally.clean('bad_insee_code')
  return matching(/^\d[\dAB]\d{3}$/, code)
}

/** Folds a commune name for comparison: without CEDEX or arrondissement number, saints written out. */
function communeKey(name: string): string | null {
  const key = fold(name)
    .replace(/ cedex\b.*$/, '')
    .replace(/ \d{1,2}( ?(e|er|eme|ere))?( arrondissement)?$/, '')
    .replace(/\bste\b/g, 'sainte')
    .replace(/\bst\b/g, 'saint')
  return key || null
}

const accesses = new Map([
  ['intérieur', 'Intérieur'],
  ['interieur', 'Intérieur'],
  ['extérieur', 'Extérieur'],
  ['exterieur', 'Extérieur'],
])

const etatsByName = new Map<string, string>(etats.map((etat) => [etat.toLowerCase(), etat]))

function etatOf(given: string, tally: Tally): string | null {
  const text = given.trim()
  if (text === '') return null
  const etat = etatsByName.get(text.toLowerCase())
  if (etat === undefined) tally.clean('unknown_condition')
  return etat ?? 'Inconnu'
}

/** Parses a boolean: `t` or `f` in the CSV, a word in the API. */
function truthOf(given: string): boolean | null {
  if (/^(t|true|oui|1)$/i.test(given.trim())) return true
  return /^(f|false|non|0)$/i.test(given.trim()) ? false : null
}

const nowhere = { latitude: null, longitude: null }

function coordinatesOf(givenLatitude: string, givenLongitude: string, tally: Tally) {
  const [latitude, longitude] = [numberOf(givenLatitude), numberOf(givenLongitude)]
  if (latitude === null && longitude === null) return nowhere
  if (latitude === 0 && longitude === 0) tally.clean('zero_coordinates')
  else if (latitude === null || longitude === null || !isInFrance(latitude, longitude))
    tally.clean('impossible_coordinates')
  else return { latitude, longitude }
  return nowhere
}

/** Parses a number; null if empty, NaN if invalid. */
function numberOf(given: string): number | null {
  const text = given.trim().replace(',', '.')
  return text === '' ? null : /^[-+]?\d{1,3}(\.\d*)?(e-\d+)?$/i.test(text) ? Number(text) : Number.NaN
}

/** South, north, west, east: the mainland with Corsica, then each overseas territory with its waters. */
const territories = [
  [41, 51.6, -6, 10.2],
  [14, 18.5, -63.5, -60.5],
  [2, 6.2, -55, -51],
  [-21.7, -20.6, 54.9, 56.1],
  [-13.3, -12.4, 44.7, 45.6],
  [46.5, 47.4, -56.8, -55.9],
  [-14.7, -12.9, -178.6, -175.8],
  [-28.5, -7, -155.5, -134],
  [-23.5, -17.5, 157.5, 173],
] as const
const isInFrance = (latitude: number, longitude: number) =>
  territories.some(
    ([south, north, west, east]) =>
      south <= latitude && latitude <= north && west <= longitude && longitude <= east,
  )

function photoOf(given: string, tally: Tally): string | null {
  if (given === '') return null
  if (
    given.length <= 500 &&
    // Format characters can reverse the text direction or be invisible.
    /^https?:\/\/(?![^/?#]*@)[^\s<>"`\\\p{Cc}\p{Cf}\p{Cs}]+$/u.test(given) &&
    URL.canParse(given)
  )
    return given
  tally.clean('bad_photo')
  return null
}

// Placeholder dates that forms fill in.
const sentinels = new Set(['2000-01-01', '1970-01-01', '1900-01-01', '1899-12-30', '1899-12-31'])

function dateOf(given: string, tally: Tally): string | null {
  if (given === '') return null
  const date = given.slice(0, 10)
  if (sentinels.has(date)) tally.clean('sentinel_date')
  else if (
    !/^\d{4}-\d\d-\d\d(?=$|[T ])/.test(given) ||
    !isRealDay(date) ||
    // Before public defibrillators existed, or in the future.
    date < '1980-01-01' ||
    isFuture(new Date(date))
  )
    tally.clean('impossible_date')
  else return date
  return null
}

/** A day of tolerance, for time zones and clocks that are wrong. */
const isFuture = (moment: Date) => moment.getTime() > Date.now() + 86_400_000

/** Parses a timestamp, which has no zone, as UTC, to the millisecond. */
function momentOf(given: string, tally: Tally): string | null {
  if (given === '') return null
  const [, day, time = '00:00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?)?(?:Z|\+00(?::?00)?)?$/.exec(given) ?? []
  const moment = new Date(`${day}T${time}.${fraction.padEnd(3, '0')}Z`)
  if (!Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day ?? '-') && !isFuture(moment))
    return moment.toISOString()
  tally.clean('impossible_date')
  return null
}
