import type { SignedIn } from '../../../platform/access/caller.ts'
import { change, create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid, type Problem, validationFailed } from '../../../platform/errors.ts'
import { oneLine } from '../../../platform/formats/text.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { type CountedAddresses, countAddressesIn } from '../../addresses/counting.ts'
import { secteurExists, secteurInUse } from '../errors.ts'
import { authoriseIn, lockFor } from '../locking.ts'
import { freeName, keyOf } from './names.ts'
import * as queries from './queries.ts'
import { newSecteur, secteur } from './record.ts'
import { maxPoints, type SecteurCreate, type SecteurRow, type SecteurUpdate, type Zone } from './schema.ts'
import type { Street } from './streets.ts'

/** `id`: of the secteur; its path names the commune too. */
type Named = { communeId: string; id: string }
type Read<Answer> = (tx: Database, row: SecteurRow) => Promise<Answer>

/** Creates a secteur before its collections have its name. */
export function createSecteur<Answer>(
  db: Database,
  caller: SignedIn,
  communeId: string,
  { nom, rues = [], zone = null }: SecteurCreate,
  read: Read<Answer>,
): Promise<Answer> {
  refuseOpenRings(zone)
  const streets = streetsOf(rues)
  const asked = { action: 'secteur.create', read, authorise: lockFor(caller, communeId) }
  return create(db, caller, newSecteur, asked, async (tx) => {
    const name = oneLine(nom)
    await refuseTaken(tx, communeId, name)
    const nom_initial = freeName(name, new Set(await queries.listInitialNames(tx, communeId)))
    const row = { id: uuidv7(), commune_id: communeId, nom: name, nom_initial, rues: streets, zone }
    return queries.insertSecteur(tx, row)
  })
}

export function updateSecteur<Answer>(
  db: Database,
  caller: SignedIn,
  { communeId, id }: Named,
  body: SecteurUpdate,
  read: Read<Answer>,
): Promise<Answer> {
  refuseOpenRings(body.zone ?? null)
  const rues = body.rues && streetsOf(body.rues)
  const asked = { id, action: 'secteur.update', authorise: authoriseIn(caller, communeId) }
  return change(db, caller, secteur, asked, async (tx, before, save) => {
    const nom = body.nom === undefined ? before.nom : oneLine(body.nom)
    if (keyOf(nom) !== keyOf(before.nom)) await refuseTaken(tx, communeId, nom)
    const { zone = before.zone } = body
    return read(tx, await save({ ...namesAfter(before, nom), zone, ...(rues && { rues }) }))
  })
}

/** Deletes a secteur that no collection names, and returns it as it last was. */
export function deleteSecteur<Answer>(
  db: Database,
  caller: SignedIn,
  { communeId, id }: Named,
  read: Read<Answer>,
): Promise<Answer> {
  const asked = { id, action: 'secteur.delete', authorise: authoriseIn(caller, communeId) }
  return change(db, caller, secteur, asked, async (tx, before, save) => {
    const names = [...(await queries.countCollectes(tx, communeId)).keys()]
    if (names.some((name) => keyOf(name) === keyOf(before.nom))) throw secteurInUse()
    const last = await read(tx, before)
    await save({ isDeleted: true })
    return last
  })
}

/** Counts the addresses in an area that is drawn. Each of them is compared with each of its points, which are bounded. */
export async function countInZone(db: Database, communeId: string, zone: Zone): Promise<CountedAddresses> {
  refuseOpenRings(zone)
  if (ringsOf(zone).flat().length > maxPoints) throw invalid('zone', messages.tooManyPoints)
  return countAddressesIn(db, communeId, zone)
}

/** Refuses a name that another secteur has, or that collections without a record have. */
async function refuseTaken(tx: Database, communeId: string, nom: string): Promise<void> {
  const [stored, collectes] = [
    await queries.listStored(tx, communeId),
    await queries.countCollectes(tx, communeId),
  ]
  const taken = [...stored.map((one) => one.nom), ...collectes.keys()]
  if (taken.some((name) => keyOf(name) === keyOf(nom))) throw secteurExists()
}

/** Returns a name with the former ones, by which links and calendars find the secteur. */
function namesAfter({ nom: before, anciens_noms }: SecteurRow, nom: string) {
  const former = before === nom ? anciens_noms : [before, ...anciens_noms]
  return { nom, anciens_noms: [...new Set(former)].filter((name) => keyOf(name) !== keyOf(nom)) }
}

/** Returns streets with what was left out, and refuses ranges that end before they begin. */
function streetsOf(rues: NonNullable<SecteurUpdate['rues']>): Street[] {
  const streets = rues.map(({ rue, de = null, a = null, cote = null }) => ({
    ...{ rue: oneLine(rue), de, a, cote },
  }))
  const problems = streets.flatMap(({ de, a }, index): Problem[] =>
    de !== null && a !== null && de > a
      ? [{ field: `rues.${index}.a`, message: messages.endsBeforeItBegins }]
      : [],
  )
  if (problems.length > 0) throw validationFailed(problems)
  return streets
}

/** Refuses rings that do not end where they begin. */
function refuseOpenRings(zone: Zone | null): void {
  if (zone === null) return
  const isOpen = (ring: number[][]) => String(ring[0]) !== String(ring.at(-1))
  if (ringsOf(zone).some(isOpen)) throw invalid('zone', messages.openRing)
}

const ringsOf = (zone: Zone): number[][][] =>
  zone.type === 'Polygon' ? zone.coordinates : zone.coordinates.flat()

const messages = {
  endsBeforeItBegins: { en: 'must not be less than `de`', fr: 'ne peut être inférieur au premier numéro' },
  openRing: {
    en: 'must have rings that end where they begin',
    fr: 'doit avoir des contours fermés : le dernier point est le premier',
  },
  tooManyPoints: {
    en: `must have at most ${maxPoints} points`,
    fr: `doit avoir ${maxPoints} points au plus`,
  },
}
