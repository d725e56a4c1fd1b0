import { departementOf } from '../../modules/communes/departements.ts'
import { StartError } from '../../platform/config/start-error.ts'
import { streetKey } from '../../platform/formats/address.ts'
import { clip, fold, hasWord, oneLine } from '../../platform/formats/text.ts'
import { type CommuneCodes, quoteCode } from '../codes.ts'
import { type CsvRow, findColumns } from '../csv.ts'

type Place = { latitude: number; longitude: number }
export type StreetRow = { communeId: string; street: string; deleguee: string; voie: string }
export type AddressRow = StreetRow &
  Place & {
    cle_interop: string
    numero: number
    suffixe: string | null
    complement: string | null
    /** Whether the row gives the position of the entrance: an address may have several rows, one for each position. */
    isEntrance: boolean
  }
/** `ownCode`: whether the row names the commune by its own code, not by that of a former commune or arrondissement. */
export type BalRow =
  | { kind: 'address'; row: AddressRow; ownCode: boolean }
  | { kind: 'street'; row: StreetRow & { place: Place | null }; ownCode: boolean }
  | { kind: 'refused'; communeId: string | null; reason: string }

const columnNames = {
  cle: 'cle_interop',
  commune: 'commune_insee',
  deleguee: 'commune_deleguee_insee',
  voie: 'voie_nom',
  complement: 'lieudit_complement_nom',
  numero: 'numero',
  suffixe: 'suffixe',
  position: 'position',
  lon: 'long',
  lat: 'lat',
}
type Columns = Record<keyof typeof columnNames, number>

/** The number of rows about a street or place itself. */
const withoutNumber = 99_999

/** Returns a reader for rows below this header. Columns of other languages, as `voie_nom_bre`, are never read. */
export function balReader(header: string[], codes: CommuneCodes): (row: CsvRow) => BalRow {
  const columns = findColumns(header, columnNames)
  if (columns.voie < 0) columns.voie = findColumns(header, { voie: 'toponyme' }).voie // since format 1.5
  const missing = (['voie', 'numero', 'lon', 'lat'] as const).filter((key) => columns[key] < 0)
  const names = missing.map((key) => `"${columnNames[key]}"`)
  if (columns.commune < 0 && columns.cle < 0) names.push('"commune_insee"')
  if (names.length > 0)
    throw new StartError(
      `The file lacks the column ${names.join(', ')}: it must be a Base Adresse Locale, a CSV separated by ; and in UTF-8.`,
    )
  return (row) => readRow(row, columns, codes)
}

function readRow(row: CsvRow, columns: Columns, codes: CommuneCodes): BalRow {
  const field = (key: keyof Columns) => oneLine(row.fields[columns[key]] ?? '')
  const [keyCode = '', keyStreet = '', keyNumber = ''] = field('cle').toLowerCase().split('_')
  const code = (field('commune') || keyCode).toUpperCase()
  const commune = codes.get(code)
  const refused = (reason: string): BalRow => ({ kind: 'refused', communeId: commune?.id ?? null, reason })
  if (row.damage !== null) return refused(row.damage)
  if (code === '') return refused('the code of the commune is missing')
  if (commune === undefined) return refused(`no commune has ${quoteCode(code)}`)
  const ofKey = codes.get(keyCode.toUpperCase())
  if (ofKey !== undefined && ofKey.id !== commune.id) return refused('its key is of another commune')
  const voie = field('voie').replaceAll('_', ' ')
  const street = streetKey(voie)
  if (!hasWord(voie)) return refused('the name of the street is missing')
  if (voie.length > 200) return refused('the name of the street is longer than 200 characters')
  const numero = readNumber(field('numero'))
  if (numero === null) return refused('its number is not a whole number up to 99999')
  if (keyNumber !== '' && Number(keyNumber) !== numero) return refused('its key has another number')
  const former = codes.get(field('deleguee').toUpperCase())
  const isFormer = former?.id === commune.id && former.alias !== null
  const deleguee = isFormer ? field('deleguee').toUpperCase() : commune.alias === null ? '' : code
  const of = { communeId: commune.id, street, deleguee, voie }
  const ownCode = commune.alias === null
  const place = readPlace(field('lat'), field('lon'), code)
  if (numero === withoutNumber)
    return { kind: 'street', row: { ...of, place: typeof place === 'string' ? null : place }, ownCode }
  if (typeof place === 'string') return refused(place)
  const suffixe = field('suffixe')
  if (suffixe !== '' && !/^[\p{L}\d ]{1,9}$/u.test(suffixe))
    return refused('its suffix is not one of at most 9 letters')
  const isCoded = /^[a-z0-9]{4}$/.test(keyStreet) && keyStreet !== 'xxxx' && keyStreet !== '0000'
  // Without a code of the street, all streets would share their keys.
  const ofStreet = isCoded ? [keyCode, keyStreet] : [deleguee || code, street.replaceAll(' ', '-')]
  const cle = [
    ...ofStreet,
    `${numero}`.padStart(5, '0'),
    ...(suffixe ? [fold(suffixe).replaceAll(' ', '')] : []),
  ]
  const complement = clip(field('complement'), 200) || null
  const isEntrance = fold(field('position')) === 'entree'
  const cle_interop = cle.join('_').toLowerCase()
  return {
    kind: 'address',
    row: {
      ...of,
      ...place,
      cle_interop,
      numero,
      suffixe: suffixe.toLowerCase() || null,
      complement,
      isEntrance,
    },
    ownCode,
  }
}

function readNumber(text: string): number | null {
  return /^\d{1,5}$/.test(text) ? Number(text) : null
}

/** Reads coordinates; a text says why they cannot be those of an address in this commune. */
function readPlace(lat: string, lon: string, code: string): Place | string {
  if (lat === '' || lon === '') return 'lat or long is missing'
  const [latitude, longitude] = [lat, lon].map((text) =>
    /^-?\d{1,3}([.,]\d{1,20})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN,
  ) as [number, number]
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return 'lat or long is not a decimal number'
  const [south, north, west, east] = boxes[departementOf(code)] ?? metropole
  const isInside = latitude >= south && latitude <= north && longitude >= west && longitude <= east
  return isInside ? { latitude, longitude } : 'lat and long are not in that part of France'
}

type Box = readonly [south: number, north: number, west: number, east: number]
const metropole: Box = [41, 51.5, -5.5, 10]
const boxes: Record<string, Box> = {
  971: [15.8, 16.6, -61.9, -60.9],
  972: [14.3, 15, -61.3, -60.7],
  973: [2, 6, -54.7, -51.5],
  974: [-21.5, -20.8, 55.1, 55.9],
  975: [46.7, 47.2, -56.5, -56],
  976: [-13.1, -12.5, 44.9, 45.4],
  977: [17.8, 18, -63, -62.7],
  978: [18, 18.2, -63.2, -62.9],
  986: [-14.5, -13, -178.3, -176],
  987: [-28, -7, -155, -134],
  988: [-23, -19, 158, 173],
}
