import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { fold } from '../../platform/formats/text.ts'
import type { CollecteRow } from './schema.ts'

/**
 * A secteur of the collections of a commune. Collections name their secteur as text: a name that no collection has any
 * more leads to the secteur that its collections have now. Case, accents and punctuation make no other secteur.
 */
export type Secteur = { nom: string; nom_initial: string; anciens_noms: string[] }
type Named = Pick<CollecteRow, 'secteur'>

/** A name for comparison; one of signs only stays as it is. */
const keyOf = (nom: string) => fold(nom) || nom

const fields = ['nom', 'nom_initial', 'anciens_noms'] as const

/** Lists the secteurs of a commune: those it had when its collections were changed last, if they ever were. */
export const listSecteurs = (db: Database, communeId: string): Promise<Secteur[]> =>
  db
    .selectFrom('secteurs')
    .select(fields)
    .where('commune_id', '=', communeId)
    .orderBy('nom_initial')
    .execute()

/** Lists the secteurs of several communes. */
export const listSecteursOf = (
  db: Database,
  communeIds: readonly string[],
): Promise<(Secteur & { commune_id: string })[]> =>
  db
    .selectFrom('secteurs')
    .select(['commune_id', ...fields])
    .where(sql<boolean>`commune_id = any(${communeIds}::uuid[])`)
    .execute()

/** Returns the present name of the secteur that has or had a name; null if there is none. */
export function presentName(name: string, collectes: readonly Named[], secteurs: readonly Secteur[]) {
  const inUse = namesIn(collectes)
  const present = inUse.get(keyOf(name))
  if (present !== undefined) return present
  const renamed = secteurs.find(({ anciens_noms }) => hasName(anciens_noms, name))
  return (renamed && inUse.get(keyOf(renamed.nom))) ?? null
}

/** Keeps the collections of the whole commune and of a secteur, given by its present name. */
export const inSecteur = <C extends Named>(collectes: readonly C[], present: string): C[] =>
  collectes.filter(({ secteur }) => secteur === null || keyOf(secteur) === keyOf(present))

/** Returns the first name of a secteur, by its present one. */
export const initialName = (nom: string, secteurs: readonly Secteur[]): string =>
  secteurs.find((one) => keyOf(one.nom) === keyOf(nom))?.nom_initial ?? nom

/** Records the secteurs of a commune when its collections are replaced. */
export async function replaceSecteurs(
  tx: Database,
  communeId: string,
  before: readonly CollecteRow[],
  after: readonly CollecteRow[],
): Promise<void> {
  const stored = await listSecteurs(tx, communeId)
  const secteurs = secteursAfter(stored, before, after)
  if (isDeepStrictEqual(stored, secteurs)) return
  await tx.deleteFrom('secteurs').where('commune_id', '=', communeId).execute()
  if (secteurs.length === 0) return
  const rows = secteurs.map((secteur) => ({ commune_id: communeId, ...secteur }))
  await tx.insertInto('secteurs').values(rows).execute()
}

/** A secteur is renamed if no collection has its name any more, and those that it had are all in one other secteur. */
function secteursAfter(
  stored: readonly Secteur[],
  before: readonly CollecteRow[],
  after: readonly CollecteRow[],
): Secteur[] {
  const names = namesIn(after)
  const old = [...namesIn(before)].map(([key, nom]) => {
    const known = stored.find((one) => keyOf(one.nom) === key)
    return { key, ...(known ?? { nom, nom_initial: nom, anciens_noms: [] }) }
  })
  const oldKeys = new Set(old.map(({ key }) => key))
  const gone = Map.groupBy(
    old.filter(({ key }) => !names.has(key)),
    ({ key }) => successorOf(key, before, after, oldKeys),
  )
  const taken = new Set(old.map(({ nom_initial }) => nom_initial))
  const secteurs = [...names].map(([key, nom]): Secteur => {
    const heirOf = gone.get(key) ?? []
    const own = old.find((one) => one.key === key) ?? heirOf[0]
    const former = [own, ...heirOf].flatMap((one) => (one ? [one.nom, ...one.anciens_noms] : []))
    const nom_initial = own?.nom_initial ?? freeName(nom, taken)
    taken.add(nom_initial)
    return { nom, nom_initial, anciens_noms: [...new Set(former)].filter((name) => !names.has(keyOf(name))) }
  })
  return secteurs.toSorted((one, other) => (one.nom_initial < other.nom_initial ? -1 : 1))
}

/** Returns the key of the one secteur to which the collections of a secteur have moved; null for none or several. */
function successorOf(
  key: string,
  before: readonly CollecteRow[],
  after: readonly CollecteRow[],
  oldKeys: ReadonlySet<string>,
): string | null {
  const kept = new Set(before.map(({ id }) => id))
  const successors = before
    .filter(({ secteur }) => secteur !== null && keyOf(secteur) === key)
    .flatMap((row) => {
      const same = after.find(({ id }) => id === row.id)
      // Without ids a renamed collection is a new one, of a new secteur, that is otherwise the same.
      const isRenamed = (one: CollecteRow) =>
        !kept.has(one.id) &&
        one.secteur !== null &&
        !oldKeys.has(keyOf(one.secteur)) &&
        isDeepStrictEqual(one, { ...row, id: one.id, secteur: one.secteur })
      return same ?? after.filter(isRenamed)
    })
  const keys = new Set(successors.map(({ secteur }) => secteur && keyOf(secteur)))
  const [only = null] = keys
  return keys.size === 1 ? only : null
}

const namesIn = (collectes: readonly Named[]): Map<string, string> =>
  new Map(collectes.toReversed().flatMap(({ secteur }) => (secteur ? [[keyOf(secteur), secteur]] : [])))

const hasName = (names: readonly string[], name: string) => names.some((one) => keyOf(one) === keyOf(name))

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`
  return free
}
