import { isDeepStrictEqual } from 'node:util'
import type { Role } from '../../platform/access/areas.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type Problem, validationFailed } from '../../platform/errors.ts'
import { requireVersion } from '../../platform/http/versions.ts'
import { userKind } from './audited.ts'
import * as queries from './queries.ts'
import type { UserUpdate } from './schema.ts'

export function updateUser(
  db: Database,
  caller: Caller,
  id: string,
  { acteurs, revoke_tokens, ...fields }: UserUpdate,
  now: Date,
): Promise<queries.UserRow> {
  const memberships = acteurs && asMemberships(acteurs)
  return change(db, caller, id, 'user.update', async (tx, before) => {
    const values = { ...fields, ...(revoke_tokens && { tokens_valid_from: now }) }
    const given = { ...values, ...(memberships && { acteurs: memberships }) }
    if (isDeepStrictEqual({ ...before, ...given }, before)) return null
    if (acteurs && memberships) {
      await refuseStrangeActeurs(tx, acteurs, before.acteurs)
      await queries.replaceMemberships(tx, id, memberships)
    }
    return values
  })
}

export function addRole(db: Database, caller: Caller, id: string, role: Role): Promise<queries.UserRow> {
  return change(db, caller, id, 'user.role_add', async (tx, before) => {
    if (before.roles.includes(role)) return null
    await queries.insertRole(tx, id, role)
    return {}
  })
}

/** The database keeps the last enabled admin: see `keep_last_admin`. */
export function removeRole(db: Database, caller: Caller, id: string, role: Role): Promise<queries.UserRow> {
  return change(db, caller, id, 'user.role_remove', async (tx, before) => {
    if (!before.roles.includes(role)) return null
    await queries.deleteRole(tx, id, role)
    return {}
  })
}

type Values = Parameters<typeof queries.updateUser>[2]
/** Changes what belongs to the user, and answers the columns to set; null when there is nothing to change. */
type Work = (tx: Database, before: queries.UserRow) => Promise<Values | null>

function change(db: Database, caller: Caller, id: string, action: string, work: Work) {
  return db.transaction().execute(async (tx) => {
    const before = await queries.getUserForUpdate(tx, id)
    requireVersion(caller, before)
    const values = await work(tx, before)
    if (values === null) return before
    await queries.updateUser(tx, id, values)
    const after = await queries.getUser(tx, id)
    await recordAudit(tx, caller, { action, kind: userKind, entityId: before.id, before, after })
    return after
  })
}

/** In the order that they are read in, so that the same list compares as the same. */
function asMemberships(acteurs: NonNullable<UserUpdate['acteurs']>): queries.MembershipRow[] {
  const seen = new Set<string>()
  const problems = acteurs.flatMap(({ acteur_id }, index): Problem[] => {
    const known = seen.has(acteur_id)
    seen.add(acteur_id)
    return known ? [{ field: `acteurs.${index}.acteur_id`, message: twice }] : []
  })
  if (problems.length > 0) throw validationFailed(problems)
  return acteurs
    .map(({ acteur_id, role, permissions = [] }) => ({
      acteur_id,
      role,
      permissions: permissions.toSorted(),
    }))
    .sort((one, other) => (one.acteur_id < other.acteur_id ? -1 : 1))
}

/** Nobody newly joins an acteur that is not there; who was a member of one since deleted stays so. */
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

const twice = { en: 'stands in the list already', fr: 'figure déjà dans la liste' }
const strange = { en: 'is not an acteur that is there', fr: "n'est pas un acteur existant" }
