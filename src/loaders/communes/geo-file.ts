import { oneLine, slugify } from '../../platform/formats/text.ts'
import { findFlaw } from '../flaws.ts'
import { isObject, jsonElements } from '../json.ts'
import type { Run } from '../run.ts'
import type { AliasSource, CommuneSource, FormerName } from './queries.ts'

/** Reads the communes of a geo.api.gouv.fr file, one per code; invalid ones are refused. */
export async function readGeoFile(input: AsyncIterable<Uint8Array>, run: Run) {
  const communes = new Map<string, CommuneSource>()
  for await (const { where, value } of jsonElements(input, run)) {
    const commune = readCommune(where, value)
    if (commune === 'set aside') run.counts.setAside++
    else if (typeof commune === 'string') run.refuse(where, commune)
    else if (communes.has(commune.code_insee))
      run.refuse(where, `${commune.code_insee} stands twice in the file`)
    else communes.set(commune.code_insee, commune)
  }
  return { communes: [...communes.values()], aliases: [] as AliasSource[], formerNames: [] as FormerName[] }
}

/** Returns the commune, or the reason why it is invalid. */
function readCommune(where: string, value: unknown): CommuneSource | string {
  if (!isObject(value)) return 'it is not an object'
  const {
    code,
    nom,
    type = 'commune-actuelle',
    codesPostaux = [],
    codeDepartement,
    codeRegion,
    population,
    centre,
  } = value
  if (type !== 'commune-actuelle') return 'set aside'
  if (typeof code !== 'string' || !codeForm.test(code)) return 'its code is not an INSEE code'
  if (typeof nom !== 'string' || nom.length > 200 || slugify(nom) === '')
    return `the nom of ${code} is missing`
  const flaw = findFlaw([[`the nom of ${code}`, nom]])
  if (flaw !== null) return flaw
  if (!isListOf(codesPostaux, /^\d{5}$/)) return `codesPostaux of ${code} is not a list of postal codes`
  if (!isCode(codeDepartement)) return `codeDepartement of ${code} is not a code`
  if (!isCode(codeRegion)) return `codeRegion of ${code} is not a code`
  if (!isPopulation(population)) return `population of ${code} is not a count`
  const point = readPoint(centre)
  if (point === undefined) return `centre of ${code} is not a point on Earth`
  return {
    where,
    code_insee: code,
    nom: oneLine(nom),
    codes_postaux: codesPostaux.length > 0 ? codesPostaux : null,
    departement: codeDepartement ?? null,
    region: codeRegion ?? null,
    population: population ?? null,
    ...point,
  }
}

const codeForm = /^[0-9][0-9AB][0-9]{3}$/

function isListOf(value: unknown, form: RegExp): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((item) => typeof item === 'string' && form.test(item))
  )
}

function isCode(value: unknown): value is string | null | undefined {
  return (
    value === undefined || value === null || (typeof value === 'string' && /^[0-9][0-9AB][0-9]?$/.test(value))
  )
}

function isPopulation(value: unknown): value is number | null | undefined {
  if (value === undefined || value === null) return true
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31
}

/** GeoJSON puts the longitude first. */
function readPoint(centre: unknown) {
  if (centre === undefined || centre === null) return { latitude: null, longitude: null }
  const [longitude, latitude] =
    isObject(centre) && Array.isArray(centre.coordinates) ? centre.coordinates : []
  const fits = isWithin(latitude, 90) && isWithin(longitude, 180)
  return fits ? { latitude, longitude } : undefined
}

function isWithin(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit
}
