import { isDeepStrictEqual } from 'node:util'
import { Compile } from 'typebox/schema'
import type { Database } from '../../../platform/database/connect.ts'
import { type Problem, repeatedValues, validationFailed } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { WebUrl } from '../../../platform/http/validation/schemas.ts'
import { keepDeleted } from '../../deletions/deleted.ts'
import { isOwnPicture } from '../../media/images.ts'
import { listCollectes, listInfos, listStoredElus } from '../queries.ts'
import type { CollecteRow, Info, StoredElu } from '../schema.ts'
import { replaceSecteurs } from '../secteurs/replacing.ts'
import { replaceRows } from './queries.ts'
import type { CollecteBody, CommuneUpdate } from './schema.ts'

/** The sub-lists of a commune, each replaced whole. */
export type Lists = { elus: StoredElu[]; collectes: CollecteRow[]; infos: Info[] }
/** The sub-lists in a request body. */
export type GivenLists = { [Name in keyof Lists]?: CommuneUpdate[Name] | undefined }

const names = ['elus', 'collectes', 'infos'] as const

export async function getLists(db: Database, communeId: string): Promise<Lists> {
  return {
    elus: await listStoredElus(db, communeId),
    collectes: await listCollectes(db, communeId),
    infos: await listInfos(db, communeId),
  }
}

/** Converts the given sub-lists to rows with defaults filled in. */
export function rowsOf(
  { elus, collectes, infos }: GivenLists,
  before: Pick<Lists, 'elus'> = { elus: [] },
): Partial<Lists> {
  const stored = new Map(before.elus.map((elu) => [elu.id, elu]))
  return {
    ...(elus && {
      elus: elus.map(({ id, ordre, photo_url, photo, mandat_debut, ...elu }, index) => ({
        id: id ?? uuidv7(),
        ...elu,
        ordre: ordre ?? index + 1,
        ...portraitOf({ photo_url, photo }, stored.get(id ?? '')),
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

type Portrait = Pick<StoredElu, 'photo_url' | 'photo'>
const noPortrait: Portrait = { photo_url: null, photo: null }

/** A client that does not know `photo` keeps it, until it names another address. */
function portraitOf(
  { photo_url = null, photo }: { [Name in keyof Portrait]?: Portrait[Name] | undefined },
  stored = noPortrait,
): Portrait {
  const address = photo_url !== null && isOwnPicture(photo_url) ? stored.photo_url : photo_url
  const isOther = address !== null && address !== stored.photo_url
  return { photo_url: address, photo: photo !== undefined ? photo : isOther ? null : stored.photo }
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

/** Refuses a `site_web` that is neither blank nor a complete URL, and a `photo_url` that is neither such nor that of `photo`. */
export function refuseStrangeAddresses({ infos = [], elus = [] }: Pick<GivenLists, 'infos' | 'elus'>): void {
  const strange = [
    ...infos.map(({ cle, valeur }, index) => ({
      field: `infos.${index}.valeur`,
      isRight: cle !== 'site_web' || valeur.trim() === '' || webUrl.Check(valeur.trim()),
    })),
    ...elus.map(({ photo_url = null }, index) => ({
      field: `elus.${index}.photo_url`,
      isRight: photo_url === null || isOwnPicture(photo_url) || webUrl.Check(photo_url),
    })),
  ].filter(({ isRight }) => !isRight)
  if (strange.length > 0)
    throw validationFailed(strange.map(({ field }): Problem => ({ field, message: strangeAddress })))
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
