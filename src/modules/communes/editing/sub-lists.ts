import { isDeepStrictEqual } from 'node:util'
import { Compile } from 'typebox/schema'
import type { Database } from '../../../platform/database/connect.ts'
import { type Problem, repeatedValues, validationFailed } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { WebUrl } from '../../../platform/http/validation/schemas.ts'
import { keepDeleted } from '../../deletions/deleted.ts'
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
  await keepRemoved(tx, communeId, wanted, before)
  if (changed.includes('elus')) await replaceRows(tx, 'elus', communeId, elus ?? [])
  if (changed.includes('collectes')) {
    await replaceRows(tx, 'collectes', communeId, (collectes ?? []).map(storedCollecte))
    await replaceSecteurs(tx, communeId, before.collectes, collectes ?? [])
  }
  if (changed.includes('infos')) await replaceRows(tx, 'commune_infos', communeId, infos ?? [])
  return Object.fromEntries(changed.map((name) => [name, wanted[name]]))
}

/** Keeps the rows that are not in the new lists, also without their id, so that they can be restored. */
async function keepRemoved(tx: Database, communeId: string, wanted: NewLists, before: Lists): Promise<void> {
  const removed = names.flatMap((name) => {
    const after: Row[] | undefined = wanted[name]
    if (after === undefined) return []
    const kept = new Set(after.map(({ id }) => id))
    const same = new Set(after.map(contentOf))
    return before[name].flatMap((row: Row, at) =>
      kept.has(row.id) || same.has(contentOf(row)) ? [] : [keptOf(row, at)],
    )
  })
  await keepDeleted(tx, { commune_id: communeId }, removed)
}

type Row = Lists[keyof Lists][number]

/** Without what a list gives a row. */
const contentOf = (row: Row) =>
  JSON.stringify(
    Object.entries(row)
      .filter(([field]) => !['id', 'ordre', 'position'].includes(field))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

function keptOf(row: Row, at: number) {
  const kept = { id: row.id, content: { row, at } satisfies Removed }
  if ('prenom' in row) {
    const label = `${row.prenom} ${row.nom}`.trim()
    return { ...kept, kind: 'elu' as const, label, detail: row.fonction }
  }
  if ('valeur' in row) return { ...kept, kind: 'info' as const, label: row.libelle, detail: row.valeur }
  return { ...kept, kind: 'collecte' as const, label: row.libelle, detail: row.secteur }
}

/** A row that was removed, and its place in its list. */
export type Removed = { row: Row; at: number }

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
