import { type RawBuilder, sql } from 'kysely'
import type { RecordKindName } from './access/record-kinds.ts'
import { foldedEmail } from './access/users.ts'
import type { Database } from './database/connect.ts'
import type { Text } from './errors.ts'

/** A person: their accounts, and the folded mail addresses that are certainly theirs. */
export type Person = {
  userIds: string[]
  emails: string[]
  /**
   * Ids of records of other accounts that contain one of the addresses, and that the operator attributes to
   * the person.
   */
  also?: string[]
}

/** Personal data that a module stores in one place. */
export type Personal = {
  /** Section name in an export and in the report of an erasure. */
  name: string
  /** Title for colleagues. */
  title: Text
  /** Says what an erasure does to it, or why it stays. Shown to administrators. */
  erasure: Text
  /** The ids that `erase` returns are of records of others: their jobs and stored responses stay. */
  ofOthers?: true
  /** Kind of the records that `find` names; null if colleagues cannot open them. */
  kind: RecordKindName | null
  /**
   * Selects the person's rows as `id`, and the record to open as `record_id` and `label`, null if there is
   * none.
   */
  find(person: Person): RawBuilder<unknown>
  /** Yields everything stored about a person, row by row: there may be very many rows. */
  read(db: Database, person: Person): AsyncIterable<object>
  /**
   * Returns ids of records that contain the person's address but were created by another account, which may
   * have typed any address.
   */
  unsure?(db: Database, person: Person): Promise<string[]>
  /**
   * Removes, in the transaction of the whole erasure, identifying data and what the person wrote about
   * themselves. Rows, counts and references stay. Returns the ids of changed rows, whose jobs and stored
   * responses are deleted too. Omitted if nothing identifies the person, or if the data is not theirs to erase.
   */
  erase?(tx: Database, person: Person): Promise<string[]>
}

/** Matches rows with an address of the person in `email`. */
export const bearsAddress = ({ emails }: Person) => sql<boolean>`${foldedEmail} = any(${emails}::text[])`

/**
 * Matches, in a table with `id`, `user_id` and `email`, rows that a person created, and rows with their
 * address that no account created.
 */
export const isTheirs = (person: Person) => sql<boolean>`
  (user_id = any(${person.userIds}::uuid[]) or ${bearsAddress(person)} and (user_id is null or id = any(${person.also ?? []}::uuid[])))`

/** Matches rows with the person's address that another account created. */
const isUnsure = (person: Person) => sql<boolean>`
  (${bearsAddress(person)} and user_id is not null and user_id <> all(${person.userIds}::uuid[]) and id <> all(${person.also ?? []}::uuid[]))`

/** Matches rows by user. */
export const isOfUser =
  (user = 'user_id') =>
  ({ userIds }: Person) =>
    sql<boolean>`${sql.ref(user)} = any(${userIds}::uuid[])`

type Matches = (person: Person) => RawBuilder<boolean>
type WithId = { id: string }

/** Selects rows of a table by user, for `find` of data that is not opened as a record. */
export const findByUser =
  (table: string, { id = 'id', user = 'user_id' } = {}) =>
  ({ userIds }: Person): RawBuilder<unknown> =>
    sql`
      select ${sql.ref(id)}::text as id, null::uuid as record_id, null::text as label
      from ${sql.table(table)} where ${sql.ref(user)} = any(${userIds}::uuid[])`

/** Reads `id` and these columns of the rows that match, in pages by id. */
export const rowsOf = (
  table: string,
  columns: RawBuilder<unknown>,
  matches: Matches = isOfUser(),
  id = 'id',
): Personal['read'] => {
  const key = sql.ref(id)
  return (db, person) =>
    inPages<WithId>(async (last, limit) => {
      const { rows } = await sql<WithId>`
        select ${key} as id, ${columns} from ${sql.table(table)}
        where ${matches(person)} and ${key} > ${afterId(last)} order by ${key} limit ${limit}`.execute(db)
      return rows
    })
}

/** Deletes the rows that match. No other table may refer to them. */
export const deleteOf =
  (table: string, matches: Matches = isOfUser(), id = 'id') =>
  async (tx: Database, person: Person): Promise<string[]> => {
    const { rows } = await sql<WithId>`
      delete from ${sql.table(table)} where ${matches(person)} returning ${sql.ref(id)} as id`.execute(tx)
    return rows.map((row) => row.id)
  }

/** Upper bound of records that another account made: nobody judges more. */
const maxUnsure = 1_000

/** Lists the rows that `isUnsure` matches, for `unsure`. */
export const unsureOf =
  (table: string) =>
  async (db: Database, person: Person): Promise<string[]> => {
    const { rows } = await sql<WithId>`
      select id from ${sql.table(table)} where ${isUnsure(person)} order by id limit ${maxUnsure}`.execute(db)
    return rows.map(({ id }) => id)
  }

/** Reads pages with a keyset cursor, null at first, until a page is not full. */
export async function* inPages<Row extends object>(
  readPage: (after: Row | null, limit: number) => Promise<Row[]>,
  limit = 500,
): AsyncGenerator<Row> {
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await readPage(last, limit)
    yield* rows
    if (rows.length < limit) return
    last = rows.at(-1) ?? null
  }
}

/** Cursor for rows ordered by id. */
export const afterId = (row: { id: string } | null): string =>
  row?.id ?? '00000000-0000-0000-0000-000000000000'
