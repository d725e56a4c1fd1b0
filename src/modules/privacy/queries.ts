import { sql } from 'kysely'
import { ownIssuer } from '../../platform/access/tokens.ts'
import { foldedEmail } from '../../platform/access/users.ts'
import type { Database } from '../../platform/database/connect.ts'
import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'

export type Account = {
  id: string
  issuer: string | null
  subject: string | null
  email: string | null
  erased_at: Date | null
  /** True if the provider verified it, our own command set it, or a claim created this unbound user. */
  is_sure: boolean
}

const account = sql`
  id, issuer, subject, ${foldedEmail} as email, erased_at,
  email is not null and (email_verified or issuer is null or issuer = ${sql.lit(ownIssuer)}) as is_sure`

export async function findAccount(db: Database, id: string): Promise<Account | null> {
  const { rows } = await sql<Account>`select ${account} from users where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Lists accounts with this folded address, verified or not. */
export async function listAccountsOf(db: Database, email: string): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select ${account} from users where ${foldedEmail} = ${email} order by id`.execute(db)
  return rows
}

const erasures = sql`hashtext('parvis erasures of people')`

/** Waits until no other erasure and no request for an export is in progress, until the transaction ends. */
export async function lockErasures(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${erasures})`.execute(tx)
}

/** Makes erasures wait until the transaction ends. */
export async function holdErasures(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${erasures})`.execute(tx)
}

/** Locks the accounts including their keys: writes that refer to them wait and are then refused. */
export async function lockAccounts(tx: Database, ids: string[]): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select ${account} from users where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
  return rows
}

export async function deleteAnswersOf(tx: Database, userIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    delete from idempotent_responses where user_id = any(${userIds}::uuid[]) returning key`.execute(tx)
  return rows.map(({ key }) => key)
}

/** Deletes stored responses that match one of the patterns. */
export async function deleteResponsesMentioning(tx: Database, patterns: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    delete from idempotent_responses where response::text ~* any(${patterns}::text[]) returning key`.execute(
    tx,
  )
  return rows.map(({ key }) => key)
}

export async function listResponsesOf(db: Database, userIds: string[]): Promise<object[]> {
  const { rows } = await sql<object>`
    select response as answer, created_at from idempotent_responses where user_id = any(${userIds}::uuid[])
    order by created_at, key`.execute(db)
  return rows
}

type Column = { table: string; column: string }

/** Lists every column that the database role may read. */
export async function listColumns(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.oid::regclass::text as table, a.attname as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
      and c.relpersistence <> 't' and a.attnum > 0 and not a.attisdropped
      and has_column_privilege(c.oid, a.attnum, 'select')
    order by 1, a.attnum`.execute(db)
  return rows
}

/** Counts the rows where each column matches, in one scan of the table. Expects names from `listColumns`. */
export async function countMentions(
  db: Database,
  table: string,
  columns: string[],
  mentions: string[],
): Promise<Record<string, number>> {
  const counts = columns.map(
    (column) =>
      sql`count(*) filter (where ${sql.ref(column)}::text ~* any(${mentions}::text[])) as ${sql.ref(column)}`,
  )
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(counts)} from ${sql.raw(table)}`.execute(db)
  return rows[0] ?? {}
}

/** Deletes digests of erased identities after this many months, when every earlier token has expired. */
export const deleteOldErasures = deletionAfterMonths('erased_identities', 'erased_at', 'digest')
