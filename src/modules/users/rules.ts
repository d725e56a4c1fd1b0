import { isDeepStrictEqual } from 'node:util'
import type { Role } from '../../platform/access/areas.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import { endSessionsOf } from '../../platform/access/session-records.ts'
import { validFromAfterRevocation } from '../../platform/access/tokens.ts'
import { append, change } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import {
  confirmationRequired,
  conflict,
  type Problem,
  repeatedValues,
  validationFailed,
} from '../../platform/errors.ts'
import type { Deps } from '../../platform/module.ts'
import { queueAdded } from './added.ts'
import * as queries from './queries.ts'
import { user } from './record.ts'
import { type Membership, type User, type UserUpdate, userActions } from './schema.ts'

/**
 * Updates a user. Revoking the tokens or disabling the user ends its sessions too. Giving access, by enabling an account or
 * by a membership that it did not have in full, needs a caller who is `confirmed`. With `jobs`, whoever is added to teams is told.
 */
export function updateUser(
  db: Database,
  caller: Caller,
  id: string,
  { acteurs, revoke_tokens, ...fields }: UserUpdate,
  now: Date,
  { confirmed = true, jobs }: { confirmed?: boolean; jobs?: Pick<Deps['jobs'], 'enqueue'> } = {},
): Promise<User> {
  const memberships = acteurs && asMemberships(acteurs)
  return change(db, caller, user, { id, action: 'user.update' }, async (tx, before, save) => {
    await refuseErased(tx, id)
    if (acteurs) await refuseStrangeActeurs(tx, acteurs, before.acteurs)
    const enables = fields.actif === true && !before.actif
    if (!confirmed && (enables || memberships?.some((one) => !isWithin(one, before.acteurs))))
      throw confirmationRequired()
    if (memberships) await appendTeams(tx, caller, id, before.acteurs, memberships)
    if (memberships && jobs && caller.user?.id !== id)
      await queueAdded(tx, jobs, { userId: id, acteurIds: addedIn(memberships, before.acteurs) })
    if (revoke_tokens) await endSessionsOf(tx, caller, id, 'revoked')
    else if (fields.actif === false) await endSessionsOf(tx, caller, id, 'disabled')
    await save({
      ...fields,
      ...(memberships && { acteurs: memberships }),
      ...(revoke_tokens && { tokens_valid_from: validFromAfterRevocation(now) }),
    })
    return withCan(await queries.getUser(tx, id))
  })
}

export function addRole(db: Database, caller: Caller, id: string, role: Role): Promise<User> {
  return change(db, caller, user, { id, action: 'user.role_add' }, async (tx, { roles }, save) => {
    await refuseErased(tx, id)
    await save({ roles: roles.includes(role) ? roles : [...roles, role] })
    return withCan(await queries.getUser(tx, id))
  })
}

/** Removes a role. The database protects the last enabled admin: see `keep_last_admin`. */
export function removeRole(db: Database, caller: Caller, id: string, role: Role): Promise<User> {
  return change(db, caller, user, { id, action: 'user.role_remove' }, async (tx, { roles }, save) => {
    await save({ roles: roles.filter((name) => name !== role) })
    return withCan(await queries.getUser(tx, id))
  })
}

const addedIn = (memberships: Membership[], before: Membership[]): string[] => {
  const had = new Set(before.map(({ acteur_id }) => acteur_id))
  return memberships.flatMap(({ acteur_id }) => (had.has(acteur_id) ? [] : [acteur_id]))
}

/** Adds what the caller may do with a user. */
export const withCan = withCanOf(userActions)

/** Throws 409 for an erased account: nobody can use it again. */
async function refuseErased(tx: Database, id: string): Promise<void> {
  if (await queries.isErased(tx, id)) throw conflict()
}

/** Sorts as stored, so that equal lists compare as equal. */
function asMemberships(acteurs: NonNullable<UserUpdate['acteurs']>): Membership[] {
  const ids = acteurs.map(({ acteur_id }) => acteur_id)
  const problems = repeatedValues(ids, (index) => `acteurs.${index}.acteur_id`)
  if (problems.length > 0) throw validationFailed(problems)
  return acteurs
    .map(({ acteur_id, role, permissions = [] }) => ({
      acteur_id,
      role,
      permissions: permissions.toSorted(),
    }))
    .sort((a, b) => (a.acteur_id < b.acteur_id ? -1 : 1))
}

/** True if one of the memberships gives the same access already. */
const isWithin = ({ acteur_id, role, permissions }: Membership, held: Membership[]): boolean =>
  held.some(
    (one) =>
      one.acteur_id === acteur_id &&
      (one.role === 'owner' ||
        (role === 'editor' && permissions.every((permission) => one.permissions.includes(permission)))),
  )

/**
 * Appends an entry for each acteur whose team changes, if there are several: the entry of the user concerns none of them
 * alone.
 */
async function appendTeams(
  tx: Database,
  caller: Caller,
  userId: string,
  before: Membership[],
  after: Membership[],
): Promise<void> {
  const ids = [...new Set([...before, ...after].map(({ acteur_id }) => acteur_id))]
  const changed = ids
    .map((id) => ({ id, was: valuesIn(before, id), is: valuesIn(after, id) }))
    .filter(({ was, is }) => !isDeepStrictEqual(was, is))
  if (changed.length < 2) return
  await append(
    tx,
    caller,
    changed.map(({ id, was, is }) => ({
      action: 'acteur.member_update',
      kind: { entity: 'acteur', personal: [] },
      entityId: id,
      before: was,
      after: { ...is, member_id: userId },
    })),
  )
}

const valuesIn = (memberships: Membership[], id: string): Record<string, unknown> => {
  const membership = memberships.find(({ acteur_id }) => acteur_id === id)
  return membership === undefined ? {} : { role: membership.role, permissions: membership.permissions }
}

/** Refuses new memberships of unknown or deleted acteurs; existing ones stay. */
async function refuseStrangeActeurs(
  tx: Database,
  acteurs: { acteur_id: string }[],
  before: { acteur_id: string }[],
): Promise<void> {
  const ids = acteurs.map(({ acteur_id }) => acteur_id)
  const known = await queries.listLiveActeurs(tx, ids)
  for (const { acteur_id } of before) known.add(acteur_id)
  const problems = ids.flatMap((id, index): Problem[] =>
    known.has(id) ? [] : [{ field: `acteurs.${index}.acteur_id`, message: strange }],
  )
  if (problems.length > 0) throw validationFailed(problems)
}

const strange = { en: 'is not an existing acteur', fr: 'n’est pas un acteur existant' }
