import type { Database } from './database/connect.ts'

/** Somebody, by what is found of them: accounts that are theirs, and mail addresses that are surely theirs, folded. */
export type Person = { userIds: string[]; emails: string[] }

/** What a module keeps of people in one place. */
export type Personal = {
  /** The section of an export, and how a list of what was erased calls it. */
  name: string
  /** All that is kept of somebody here, row by row: there may be very many. */
  read(db: Database, person: Person): AsyncIterable<object>
  /**
   * Takes out, within the transaction of the whole erasure, what tells who it was or what they said of themselves. Rows
   * stay, and what counts or refers to them. Answers the ids of those that changed: jobs that name one of them go too.
   * Left out where nothing tells that, or where it is not theirs to take away.
   */
  erase?(tx: Database, person: Person): Promise<string[]>
}

/** Reads on after the last row of the page before, null at first, until a page is not full. */
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

/** As `Row & {id}`, by id: from here on. */
export const afterId = (row: { id: string } | null): string =>
  row?.id ?? '00000000-0000-0000-0000-000000000000'
