import { isDeepStrictEqual } from 'node:util'
import { Compile } from 'typebox/schema'
import type { Database } from '../../../platform/database/connect.ts'
import { type Problem, repeatedValues, validationFailed } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { WebUrl } from '../../../platform/http/validation/schemas.ts'
import { listCollectes, listElus, listInfos } from '../queries.ts'
import type { CollecteRow, Elu, Info } from '../schema.ts'
import { replaceSecteurs } from '../secteurs.ts'
import { replaceRows } from './queries.ts'
import type { CollecteBody, CommuneUpdate } from './schema.ts'

/** The sub-lists of a commune, each replaced whole. */
export type Lists = { elus: Elu[]; collectes: CollecteRow[]; infos: Info[] }
/** The sub-lists in a request body. */
export type GivenLists = { [Name in keyof Lists]?: CommuneUpdate[Name] | undefined }

const names = ['elus', 'collectes', 'infos'] as const

export async function getLists(db: Database, communeId: string): Promise<Lists> {
  return {
    elus: await listElus(db, communeId),
    collectes: await listCollectes(db, communeId),
    infos: await listInfos(db, communeId),
  }
}

/** Converts the given sub-lists to rows with defaults filled in. */
export function rowsOf({ elus, collectes, infos }: GivenLists): Partial<Lists> {
  return {
    ...(elus && {
      elus: elus.map(({ id, ordre, photo_url, mandat_debut, ...elu }, index) => ({
        id: id ?? uuidv7(),
        ...elu,
        ordre: ordre ?? index + 1,
        photo_url: photo_url ?? null,
        mandat_debut: mandat_debut ?? null,
      })),
    }),
    ...(collectes && {
      collectes: collectes.map(({ id, ...collecte }) => ({
        id: id ?? uuidv7(),
        ...collecteDefaults,
        ...collecte,
      })),
    }),
    ...(infos && {
      infos: infos.map(({ id, cle, valeur, position, ...info }, index) => ({
        id: id ?? uuidv7(),
        cle,
        valeur: cle === 'site_web' ? valeur.trim() : valeur,
        ...info,
        position: position ?? index + 1,
      })),
    }),
  }
}

const collecteDefaults = {
  secteur: null,
  jours: [],
  toutes_les_semaines: 1,
  rang: null,
  a_partir_du: null,
  dates: [],
  exceptions: [],
  consignes: null,
}

type NewLists = { [Name in keyof Lists]?: Lists[Name] | undefined }

/** Writes the sub-lists that differ from the stored ones and returns them. */
export async function replaceLists(
  tx: Database,
  communeId: string,
  wanted: NewLists,
  before: Lists,
): Promise<Partial<Lists>> {
  const { elus, collectes, infos } = wanted
  const changed = names.filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], before[name]),
  )
  if (changed.includes('elus')) await replaceRows(tx, 'elus', communeId, elus ?? [])
  if (changed.includes('collectes')) {
    await replaceRows(tx, 'collectes', communeId, (collectes ?? []).map(storedCollecte))
    await replaceSecteurs(tx, communeId, before.collectes, collectes ?? [])
  }
  if (changed.includes('infos')) await replaceRows(tx, 'commune_infos', communeId, infos ?? [])
  return Object.fromEntries(changed.map((name) => [name, wanted[name]]))
}

const storedCollecte = (row: CollecteRow, position: number) => ({
  ...row,
  position,
  // As JSON: the driver would write an array as a PostgreSQL array.
  exceptions: JSON.stringify(row.exceptions),
})

/** Refuses ids that are not in the stored list or that occur twice. */
export function refuseStrangeIds(given: GivenLists, before: Lists): void {
  const problems = names.flatMap((name) => {
    const known = new Set(before[name].map(({ id }) => id))
    return (given[name] ?? []).flatMap(({ id }, index): Problem[] =>
      id === undefined || known.delete(id) ? [] : [{ field: `${name}.${index}.id`, message: strangeId }],
    )
  })
  if (problems.length > 0) throw validationFailed(problems)
}

const strangeId = {
  en: 'is not the id of a row of this list',
  fr: 'n’est pas l’identifiant d’une ligne de cette liste',
}

/** Refuses a `site_web` that is neither blank nor a complete URL. */
export function refuseStrangeAddresses({ infos = [] }: Pick<GivenLists, 'infos'>): void {
  const problems = infos.flatMap(({ cle, valeur }, index): Problem[] =>
    cle !== 'site_web' || valeur.trim() === '' || webUrl.Check(valeur.trim())
      ? []
      : [{ field: `infos.${index}.valeur`, message: strangeAddress }],
  )
  if (problems.length > 0) throw validationFailed(problems)
}

const webUrl = Compile(WebUrl('https://www.chambery.example'))

const strangeAddress = {
  en: 'must be an http or https URL',
  fr: 'doit être une adresse complète, comme https://exemple.fr',
}

/** Refuses a second exception for a day of a collecte. */
export function refuseRepeatedExceptions({ collectes = [] }: Pick<GivenLists, 'collectes'>): void {
  const problems = collectes.flatMap((collecte, index) =>
    repeatedExceptions(collecte, `collectes.${index}.exceptions`),
  )
  if (problems.length > 0) throw validationFailed(problems)
}

export const repeatedExceptions = ({ exceptions = [] }: Pick<CollecteBody, 'exceptions'>, path: string) =>
  repeatedValues(
    exceptions.map(({ date }) => date),
    (index) => `${path}.${index}.date`,
  )
