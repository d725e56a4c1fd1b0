import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../../platform/database/connect.ts'
import type { CollecteRow } from '../schema.ts'
import { freeName, hasPlaces, keyOf, namesIn } from './names.ts'
import { listStored, type StoredSecteur, writeSecteurs } from './queries.ts'
import { maxStreets, type Zone } from './schema.ts'

/**
 * Records the secteurs of a commune when its collections are replaced. One that no collection names any more stays if it
 * has streets or an area: its collections may come back.
 */
export async function replaceSecteurs(
  tx: Database,
  communeId: string,
  before: readonly CollecteRow[],
  after: readonly CollecteRow[],
): Promise<void> {
  const stored = await listStored(tx, communeId)
  const secteurs = secteursAfter(stored, before, after)
  if (!isDeepStrictEqual(stored, secteurs)) await writeSecteurs(tx, communeId, secteurs)
}

type Keyed = StoredSecteur & { key: string }

/** A secteur is renamed if no collection has its name any more, and those that it had are all in one other secteur. */
function secteursAfter(
  stored: readonly StoredSecteur[],
  before: readonly CollecteRow[],
  after: readonly CollecteRow[],
): StoredSecteur[] {
  const names = namesIn(after)
  const old = secteursBefore(stored, before)
  const oldKeys = new Set(old.map(({ key }) => key))
  const gone = Map.groupBy(
    old.filter(({ key }) => !names.has(key)),
    ({ key }) => successorOf(key, before, after, oldKeys),
  )
  const taken = new Set(old.map(({ nom_initial }) => nom_initial))
  const secteurs = [...names].map(([key, nom]): StoredSecteur => {
    const heirOf = gone.get(key) ?? []
    const own = old.find((one) => one.key === key) ?? heirOf[0]
    const former = [own, ...heirOf].flatMap((one) => (one ? [one.nom, ...one.anciens_noms] : []))
    const nom_initial = own?.nom_initial ?? freeName(nom, taken)
    taken.add(nom_initial)
    const anciens_noms = [...new Set(former)].filter((name) => !names.has(keyOf(name)))
    const merged = own === undefined ? [] : [...new Set([own, ...heirOf])]
    return { nom, nom_initial, anciens_noms, ...placesOf(merged) }
  })
  const unused = (gone.get(null) ?? []).filter(hasPlaces).map(({ key: _key, ...secteur }) => secteur)
  return [...secteurs, ...unused].toSorted((one, other) => (one.nom_initial < other.nom_initial ? -1 : 1))
}

/** Returns the secteurs that collections name, stored or not yet, with those that are stored only for their places. */
function secteursBefore(stored: readonly StoredSecteur[], before: readonly CollecteRow[]): Keyed[] {
  const known = new Map(stored.map((secteur) => [keyOf(secteur.nom), secteur]))
  const named = [...namesIn(before)].map(([key, nom]): Keyed => {
    const first = { nom, nom_initial: nom, anciens_noms: [], rues: [], zone: null }
    return { key, ...(known.get(key) ?? first) }
  })
  const namedKeys = new Set(named.map(({ key }) => key))
  const unused = [...known].filter(([key]) => !namedKeys.has(key))
  return [...named, ...unused.map(([key, secteur]) => ({ key, ...secteur }))]
}

/** Returns the streets and the area of secteurs that became one. */
function placesOf(secteurs: readonly StoredSecteur[]): Pick<StoredSecteur, 'rues' | 'zone'> {
  const zones = secteurs.flatMap(({ zone }) => zone ?? [])
  const areas = zones.flatMap(({ type, coordinates }) => (type === 'Polygon' ? [coordinates] : coordinates))
  const [only = null] = zones
  const zone: Zone | null = zones.length > 1 ? { type: 'MultiPolygon', coordinates: areas } : only
  return { rues: secteurs.flatMap(({ rues }) => rues).slice(0, maxStreets), zone }
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
