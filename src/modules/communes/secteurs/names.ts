import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { fold } from '../../../platform/formats/text.ts'
import type { CollecteRow } from '../schema.ts'

/**
 * A secteur of the collections of a commune. Collections name their secteur as text: a name that no collection has any
 * more leads to the secteur that its collections have now. Case, accents and punctuation make no other secteur.
 */
export type Secteur = { nom: string; nom_initial: string; anciens_noms: string[] }
/** A secteur in the list of its commune. `has_places`: an address can lead to it. */
export type ListedSecteur = Secteur & { has_places: boolean }
type Named = Pick<CollecteRow, 'secteur'>

/** Returns a name for comparison; one of signs only stays as it is. */
export const keyOf = (nom: string) => fold(nom) || nom

const fields = ['nom', 'nom_initial', 'anciens_noms'] as const
const withPlaces = sql<boolean>`rues <> '[]' or zone is not null`.as('has_places')

/** Lists the secteurs of a commune: those of its collections, and others that have streets or an area. */
export const listSecteurs = (db: Database, communeId: string): Promise<ListedSecteur[]> =>
  db
    .selectFrom('secteurs')
    .select([...fields, withPlaces])
    .where('commune_id', '=', communeId)
    .orderBy('nom_initial')
    .execute()

/** Lists the secteurs of several communes. */
export const listSecteursOf = (
  db: Database,
  communeIds: readonly string[],
): Promise<(ListedSecteur & { commune_id: string })[]> =>
  db
    .selectFrom('secteurs')
    .select(['commune_id', ...fields, withPlaces])
    .where(sql<boolean>`commune_id = any(${communeIds}::uuid[])`)
    .execute()

/** Returns the present name of the secteur that has or had a name, also without collections if an address can lead to it. */
export function presentName(
  name: string,
  collectes: readonly Named[],
  secteurs: readonly ListedSecteur[],
): string | null {
  const inUse = namesIn(collectes)
  const present = inUse.get(keyOf(name))
  if (present !== undefined) return present
  const stored =
    secteurs.find(({ nom }) => keyOf(nom) === keyOf(name)) ??
    secteurs.find(({ anciens_noms }) => hasName(anciens_noms, name))
  if (stored === undefined) return null
  return inUse.get(keyOf(stored.nom)) ?? (stored.has_places ? stored.nom : null)
}

/** True if a secteur has streets or an area, so that an address can lead to it. */
export const hasPlaces = ({ rues, zone }: { rues: readonly unknown[]; zone: unknown }): boolean =>
  rues.length > 0 || zone !== null

/** Keeps the collections of the whole commune and of a secteur, given by its present name. */
export const inSecteur = <C extends Named>(collectes: readonly C[], present: string): C[] =>
  collectes.filter(({ secteur }) => secteur === null || keyOf(secteur) === keyOf(present))

/** Returns the first name of a secteur, by its present one. */
export const initialName = (nom: string, secteurs: readonly Secteur[]): string =>
  secteurs.find((one) => keyOf(one.nom) === keyOf(nom))?.nom_initial ?? nom

/** The names of secteurs in use, by their keys; of variants the first. */
export const namesIn = (collectes: readonly Named[]): Map<string, string> =>
  new Map(collectes.toReversed().flatMap(({ secteur }) => (secteur ? [[keyOf(secteur), secteur]] : [])))

const hasName = (names: readonly string[], name: string) => names.some((one) => keyOf(one) === keyOf(name))

/** Returns a first name that no secteur of the commune has had. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`
  return free
}
