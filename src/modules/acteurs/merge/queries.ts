import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { Acteur } from '../schema.ts'
import { answeringActeur } from './merged.ts'
import type { MergedActeur } from './schema.ts'

export type MergeRow = Acteur & { merged_into: string | null; merged_at: Date | null }

const columns = sql`${columnList(Acteur.properties)}, merged_into, merged_at`

/**
 * Locks an acteur and the target (`into`, or the acteur it was merged into) by id, against all writes that
 * refer to them. Merges begin one at a time. 404 if the acteur does not exist; `target` is undefined if the
 * target does not.
 */
export async function lockBoth(
  tx: Database,
  id: string,
  into: string,
): Promise<{ row: MergeRow; target: MergeRow | undefined }> {
  await sql`select pg_advisory_xact_lock(hashtext('parvis merges of acteurs'))`.execute(tx)
  // Before the acteurs, as in a change of a commune or a group.
  await sql`select from communes where mairie_actor_id = ${id} order by id for no key update`.execute(tx)
  await sql`select from groups where acteur_id = ${id} order by id for no key update`.execute(tx)
  await sql`
    select from acteurs where id = ${id} or id = ${answeringActeur(into)} order by id for update`.execute(tx)
  const { rows } = await sql<MergeRow & { is_target: boolean }>`
    select ${columns}, coalesce(id = ${answeringActeur(into)}, false) as is_target from acteurs
    where id = ${id} or id = ${answeringActeur(into)}`.execute(tx)
  const row = rows.find((one) => one.id === id.toLowerCase()) ?? raise(notFound())
  const found = rows.find(({ is_target }) => is_target)
  const { is_target: _, ...plain } = row as MergeRow & { is_target?: boolean }
  return { row: plain, target: found }
}

/** Begins a merge. Acteurs merged into this one earlier now point to the target. */
export async function updateMerged(
  tx: Database,
  { id }: MergeRow,
  values: Partial<MergeRow>,
): Promise<MergeRow> {
  const { merged_into = null, merged_at = null } = values
  await sql`update acteurs set merged_into = ${merged_into} where merged_into = ${id}`.execute(tx)
  const { rows } = await sql<MergeRow>`
    update acteurs set merged_into = ${merged_into}, merged_at = ${merged_at} where id = ${id}
    returning ${columns}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/**
 * Moves the members of an acteur. A member of both keeps the stronger role, all permissions and the later
 * date. Returns their ids. Skips the version of users locked by another change, which increments it itself.
 */
export async function moveMembers(tx: Database, from: string, into: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    with moved as (delete from actor_users where acteur_id = ${from} returning *)
    insert into actor_users as m (acteur_id, user_id, role, permissions, created_at)
    select ${into}, user_id, role, permissions, created_at from moved order by user_id
    on conflict on constraint actor_users_pkey do update set
      role = case when 'owner' in (m.role, excluded.role) then 'owner' else m.role end,
      permissions = array(select distinct unnest(m.permissions || excluded.permissions) order by 1),
      created_at = greatest(m.created_at, excluded.created_at)
    returning user_id`.execute(tx)
  const ids = rows.map(({ user_id }) => user_id)
  if (ids.length > 0) {
    await sql`
      update users set version = version + 1 where id = any(array(
        select id from users where id = any(${ids}::uuid[]) order by id for no key update skip locked))`.execute(
      tx,
    )
  }
  return ids
}

/** Gives the target the logo, if it has none, and takes it from the acteur. */
export async function moveLogo(tx: Database, { from, into }: { from: string; into: string }): Promise<void> {
  await sql`
    update acteurs set logo = (select logo from acteurs where id = ${from}) where id = ${into} and logo is null`.execute(
    tx,
  )
  await sql`update acteurs set logo = null where id = ${from} and logo is not null`.execute(tx)
}

/**
 * Moves what makes a mairie: its communes, the alerts that they show, and its acts; and the groups that name the acteur. In one
 * transaction with its members, else these would lose their rights over the communes until the job has moved them. The job moves what exceeds the limit.
 */
export async function moveMairie(tx: Database, merge: { from: string; into: string }): Promise<void> {
  for (const reference of [
    { table: 'alertes', columns: ['acteur_id'] },
    { table: 'deleted_records', columns: ['acteur_id'] },
    { table: 'acts', columns: ['acteur_id'] },
    { table: 'communes', columns: ['mairie_actor_id'] },
    { table: 'groups', columns: ['acteur_id'] },
  ])
    await moveRows(tx, reference, merge, 1_000)
}

/** Returns the target of a merge in progress; null if the merge has ended. */
export async function findTarget(tx: Database, id: string): Promise<string | null> {
  const { rows } = await sql<{ merged_into: string | null }>`
    select merged_into from acteurs where id = ${id} and deleted_at is null for key share`.execute(tx)
  return rows[0]?.merged_into ?? null
}

export async function listMerging(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from acteurs where merged_into is not null and deleted_at is null order by id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export type Reference = { table: string; columns: string[] }

/**
 * Lists the columns with a foreign key to acteurs, by table, from the system catalogue. What would be deleted with an
 * acteur is part of it, and stays with it: its former slugs.
 */
export async function listReferences(db: Database): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select c.conrelid::regclass::text as table, array_agg(distinct a.attname::text) as columns
    from pg_constraint c cross join lateral unnest(c.conkey, c.confkey) as k (attnum, confattnum)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
    join pg_attribute r on r.attrelid = c.confrelid and r.attnum = k.confattnum
    where c.contype = 'f' and c.confrelid = 'acteurs'::regclass and c.conrelid <> c.confrelid and r.attname = 'id'
      and c.confdeltype <> 'c'
    group by c.conrelid order by 1`.execute(db)
  return rows
}

/** Points at most `limit` rows of a table to `into`, in all its columns. Returns the number of rows. */
export async function moveRows(
  tx: Database,
  { table, columns: names }: Reference,
  { from, into }: { from: string; into: string },
  limit: number,
): Promise<number> {
  const refers = sql.join(
    names.map((name) => sql`${sql.ref(name)} = ${from}`),
    sql` or `,
  )
  const set = names.map(
    (name) =>
      sql`${sql.ref(name)} = case when ${sql.ref(name)} = ${from} then ${into}::uuid else ${sql.ref(name)} end`,
  )
  const { rows } = await sql`
    update ${sql.table(table)} set ${sql.join(set)} where id = any(array(
      select id from ${sql.table(table)} where ${refers} order by id limit ${limit} for no key update))
    returning id`.execute(tx)
  return rows.length
}

/** Ends a merge, when nothing refers to the acteur. False if another worker has ended it. */
export async function endMerge(tx: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    update acteurs set deleted_at = now() where id = ${id} and deleted_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** Lists the acteurs merged into this one, latest first, at most a hundred. */
export async function listMerged(db: Database, id: string): Promise<MergedActeur[]> {
  const { rows } = await sql<MergedActeur>`
    select id, slug, nom, merged_at, case when deleted_at is null then 'merging' else 'merged' end as state
    from acteurs where merged_into = ${id} order by merged_at desc, id limit 100`.execute(db)
  return rows
}
