import { sql } from 'kysely'
import Type from 'typebox'
import { operator } from '../../platform/access/caller.ts'
import { ownIssuer } from '../../platform/access/tokens.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/module.ts'
import { user } from './record.ts'
import type { Membership } from './schema.ts'

/** Age at which permissions lapse for a user who has never signed in. */
const isTooOld = sql<boolean>`created_at < now() - interval '180 days'`

/** Condition of users who never signed in. Those with an identity of another issuer came with it. */
const neverSeen = sql`last_seen_at is null and (issuer is null or issuer = ${sql.lit(ownIssuer)})`

/** Locks users who never signed in and have old permissions, by id, until the transaction ends; skips locked ones. */
export async function lockNeverSeen(db: Database, afterId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where ${neverSeen} and id > ${afterId} and exists (
      select from (
        select created_at from actor_users where user_id = users.id
        union all select created_at from user_roles where user_id = users.id) held
      where ${isTooOld})
    order by id limit ${limit} for no key update skip locked`.execute(unprepared(db))
  return rows.map(({ id }) => id)
}

export type Right = Membership & { user_id: string; lapses: boolean }
export type HeldRole = { user_id: string; role: string; lapses: boolean }

export async function listRights(db: Database, userIds: string[]): Promise<Right[]> {
  const { rows } = await sql<Right>`
    select user_id, acteur_id, role, permissions, ${isTooOld} as lapses from actor_users
    where user_id = any(${userIds}::uuid[]) order by user_id, acteur_id`.execute(db)
  return rows
}

export async function listRoles(db: Database, userIds: string[]): Promise<HeldRole[]> {
  const { rows } = await sql<HeldRole>`
    select user_id, role, ${roleLapses(userIds)} as lapses from user_roles
    where user_id = any(${userIds}::uuid[]) order by user_id, role`.execute(db)
  return rows
}

/** Old roles lapse, but the role of administrator only while somebody else has it: the database keeps the last one. */
const roleLapses = (userIds: string[]) => sql<boolean>`${isTooOld} and (role <> 'admin' or exists (
  select from user_roles other join users on users.id = other.user_id
  where other.role = 'admin' and users.actif and not other.user_id = any(${userIds}::uuid[])))`

/** Deletes what `listRights` and `listRoles` say lapses, of the same users. */
export async function deleteOldRights(db: Database, userIds: string[]): Promise<void> {
  await sql`delete from actor_users where user_id = any(${userIds}::uuid[]) and ${isTooOld}`.execute(db)
  await sql`
    delete from user_roles where user_id = any(${userIds}::uuid[]) and ${roleLapses(userIds)}`.execute(db)
}

/** Increments the user's version, because roles and memberships are part of the user. */
export async function updateVersions(db: Database, userIds: string[]): Promise<void> {
  await sql`update users set version = version + 1 where id = any(${userIds}::uuid[])`.execute(db)
}

/**
 * Revokes permissions of users who never signed in, because their mailbox may have a new owner years later.
 * Returns how many users lost permissions.
 */
export async function lapseRights(db: Database, signal: AbortSignal, batch = 500): Promise<number> {
  let lastId = '00000000-0000-0000-0000-000000000000'
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const { found, lapsed } = await db.transaction().execute((tx) => lapseSome(tx, lastId, batch))
    count += lapsed
    lastId = found.at(-1) ?? lastId
    if (found.length < batch) return count
  }
}

async function lapseSome(tx: Database, afterId: string, limit: number) {
  const found = await lockNeverSeen(tx, afterId, limit)
  const rights = Map.groupBy(await listRights(tx, found), ({ user_id }) => user_id)
  const roles = Map.groupBy(await listRoles(tx, found), ({ user_id }) => user_id)
  const held = found.map((id) => ({ id, acteurs: rights.get(id) ?? [], roles: roles.get(id) ?? [] }))
  // Another instance may have handled some of these users before this lock.
  const lapsing = held.filter((of) => [...of.acteurs, ...of.roles].some(({ lapses }) => lapses))
  const ids = lapsing.map(({ id }) => id)
  await deleteOldRights(tx, found)
  await updateVersions(tx, ids)
  const changes = lapsing.map(({ id, acteurs, roles }) => {
    const shown = (isKept: (right: { lapses: boolean }) => boolean) => ({
      acteurs: acteurs.filter(isKept).map(membership),
      roles: roles.filter(isKept).map(({ role }) => role),
    })
    const change = { before: shown(() => true), after: shown(({ lapses }) => !lapses) }
    return { action: 'user.lapse', kind: user, entityId: id, ...change }
  })
  await append(tx, operator, changes)
  return { found, lapsed: ids.length }
}

const membership = ({ acteur_id, role, permissions }: Right) => ({
  acteur_id,
  role,
  permissions,
})

const lapse = defineJob('users.lapse-rights', Type.Object({}))

export function lapseHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(lapse, async (_payload, { signal }) => {
    const lapsed = await lapseRights(db, signal)
    if (lapsed > 0) log.info({ lapsed }, 'unclaimed permissions expired')
  })
}

export const lapseSchedule: Schedule = schedule(lapse, '40 4 * * *', {})
