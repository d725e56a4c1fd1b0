import { sql } from 'kysely'
import type { Database } from './database/connect.ts'

/** A person: their accounts, and mail addresses that are surely theirs, folded. */
export type Person = {
  userIds: string[]
  emails: string[]
  /** Records of other accounts that bear one of the addresses, and that the operator counts as theirs. */
  also?: string[]
}

/** Personal data that a module stores in one place. */
export type Personal = {
  /** Section name in an export and in the report of an erasure. */
  name: string
  /** Yields everything stored about a person, row by row: there may be very many rows. */
  read(db: Database, person: Person): AsyncIterable<object>
  /** Ids of records that bear their address but were made by another account, which may have typed anything. */
  unsure?(db: Database, person: Person): Promise<string[]>
  /**
   * Removes, in the transaction of the whole erasure, what identifies the person or what they said about themselves.
   * Rows, counts and references stay. Returns the ids of changed rows, whose jobs are deleted too. Left out where
   * nothing identifies the person or the data is not theirs to remove.
   */
  erase?(tx: Database, person: Person): Promise<string[]>
}

const bearsAddress = ({ emails }: Person) => sql<boolean>`lower(email collate "C") = any(${emails}::text[])`

/** Selects, in a table with `id`, `user_id` and `email`, what a person made, and what bears their address and nobody's account made. */
export const isTheirs = (person: Person) => sql<boolean>`
  (user_id = any(${person.userIds}::uuid[])
    or (${bearsAddress(person)} and (user_id is null or id = any(${person.also ?? []}::uuid[]))))`

/** Selects what bears their address, but was made by another account. */
export const isUnsure = (person: Person) => sql<boolean>`
  (${bearsAddress(person)} and user_id <> all(${person.userIds}::uuid[]) and id <> all(${person.also ?? []}::uuid[]))`

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
