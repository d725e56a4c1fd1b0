import type { Caller, SignedIn } from '../../platform/access/caller.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import { change, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { validationFailed } from '../../platform/errors.ts'
import { slugify } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Deps } from '../../platform/module.ts'
import { enqueueRefreshes } from '../acteurs/refresh-lists.ts'
import { slugTaken } from '../communes/errors.ts'
import { refuseIdAsSlug, refuseNameless } from '../communes/slugs.ts'
import * as queries from './queries.ts'
import { type GroupRecord, group } from './record.ts'
import {
  type GroupCreate,
  type GroupUpdate,
  groupActions,
  type ManagedGroupFull,
  type StoredGroup,
} from './schema.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>

export function createGroup(
  { db, jobs }: Tools,
  caller: Caller,
  body: GroupCreate,
): Promise<ManagedGroupFull> {
  refuseNameless(body)
  refuseIdAsSlug(body)
  const wanted = { action: 'group.create', read: readGroup }
  return create(db, caller, { ...group, auditedValues: withAdded }, wanted, async (tx) => {
    const commune_ids = distinct(body.commune_ids ?? [])
    const names = await requireCommunes(tx, body.commune_ids ?? [])
    await queries.lockActeurs(tx, [body.acteur_id])
    const row = await insertWithSlug(tx, body)
    await queries.replaceMembers(tx, { id: row.id, commune_ids: [] }, commune_ids)
    await followActeurs(tx, jobs, row)
    return { ...row, communes_added: namesOf(commune_ids, names) }
  })
}

export function updateGroup(
  { db, jobs }: Tools,
  caller: SignedIn,
  id: string,
  body: GroupUpdate,
): Promise<ManagedGroupFull> {
  refuseNameless(body)
  refuseIdAsSlug(body)
  return change(db, caller, group, { id, action: 'group.update' }, async (tx, before, save) => {
    const { commune_ids: given, ...fields } = body
    if (fields.acteur_id !== undefined) await queries.lockActeurs(tx, [before.acteur_id, fields.acteur_id])
    const saved = async (after: GroupRecord) => {
      await followActeurs(tx, jobs, before, after)
      return readGroup(tx, after)
    }
    if (given === undefined) return saved(await save(fields))
    const commune_ids = distinct(given)
    const names = await requireCommunes(tx, given, before.commune_ids)
    const changed = membersChanged(before.commune_ids, commune_ids, names)
    return saved(await save({ ...fields, commune_ids }, changed))
  })
}

/** Deletes a group and returns it as it last was. Its communes stay. */
export function deleteGroup({ db, jobs }: Tools, caller: SignedIn, id: string): Promise<ManagedGroupFull> {
  return change(db, caller, group, { id, action: 'group.delete' }, async (tx, before, save) => {
    const last = await readGroup(tx, before)
    const names = await queries.lockCommunes(tx, before.commune_ids)
    await save({ isDeleted: true }, { before: membersChanged(before.commune_ids, [], names).after })
    await followActeurs(tx, jobs, before)
    return { ...last, can: [] }
  })
}

/** Reads a group with its members. */
export async function readGroup(db: Database, { id }: { id: string }): Promise<ManagedGroupFull> {
  // The version first: with members of an earlier one, a change would pass `If-Match` and undo another.
  const row = await queries.getManagedGroup(db, id)
  const communes = await queries.listMembers(db, id)
  return { ...withCanOf(groupActions)(row), communes }
}

/** Enqueues what the lists of the acteurs of a changed group have left to follow. */
async function followActeurs(tx: Database, jobs: Deps['jobs'], ...groups: StoredGroup[]): Promise<void> {
  const ids = groups.flatMap(({ acteur_id }) => acteur_id ?? [])
  if (ids.length > 0) await enqueueRefreshes(tx, jobs, ids)
}

type Added = StoredGroup & { communes_added: string[] }
const withAdded = ({ communes_added, ...row }: Added) => ({
  ...row,
  ...(communes_added.length > 0 && { communes_added }),
})

/** Returns what an audit entry says of the members. */
function membersChanged(before: string[], after: string[], names: Map<string, string>) {
  const [added, removed] = [queries.without(after, before), queries.without(before, after)]
  return {
    after: {
      ...(added.length > 0 && { communes_added: namesOf(added, names) }),
      ...(removed.length > 0 && { communes_removed: namesOf(removed, names) }),
    },
  }
}

const namesOf = (ids: string[], names: Map<string, string>) => ids.map((id) => names.get(id) ?? id)

/** Sorts ids and removes repetitions, so that the same members are the same list. */
const distinct = (ids: string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))].sort()

/** Returns the names of these communes and of present members; 422 for one that does not exist. */
async function requireCommunes(
  tx: Database,
  given: string[],
  present: string[] = [],
): Promise<Map<string, string>> {
  const names = await queries.lockCommunes(tx, distinct([...given, ...present]))
  const problems = given.flatMap((id, index) =>
    names.has(id.toLowerCase()) ? [] : [{ field: `commune_ids.${index}`, message: unknownCommune }],
  )
  if (problems.length > 0) throw validationFailed(problems)
  return names
}

const unknownCommune = { en: 'is the id of no commune', fr: 'n’est l’identifiant d’aucune commune' }

/** Inserts with the slug that was given; else with that of the name, and the end of the id where that is taken. */
async function insertWithSlug(
  tx: Database,
  { nom, slug, kind, siren = null, acteur_id = null }: GroupCreate,
): Promise<StoredGroup> {
  const id = uuidv7()
  const base = slugify(nom)
  for (const candidate of slug === undefined ? [base, `${base}-${id.slice(-6)}`] : [slug]) {
    const row = await queries.insertGroup(tx, { id, slug: candidate, nom, kind, siren, acteur_id })
    if (row !== undefined) return row
  }
  throw slugTaken()
}
