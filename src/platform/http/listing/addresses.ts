import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../database/conditions.ts'
import type { Database } from '../../database/connect.ts'
import type { Position } from './cursor.ts'

/** Records with a page of their own, in the order of a time and their id, which an index has together with `where`. */
export type AddressList = {
  /** The table with the slugs, or with what they are made of. */
  table: string
  from: RawBuilder<unknown>
  where: RawBuilder<boolean>
  at: RawBuilder<Date>
  id: RawBuilder<string>
  /** Of records without a slug: the column of `r` that it is made of, and how. */
  named?: { by: RawBuilder<string>; slugOf(name: string, id: string): string }
}
export type Address = { slug: string; updated_at: Date; position: Position }

/** Returns the position before each piece of `size` records, except the first. Reads the index once, and keeps nothing. */
export async function listPieces(
  db: Database,
  { from, where, at, id }: AddressList,
  size: number,
): Promise<Position[]> {
  const { rows } = await sql<{ at: Date; id: string }>`
    select at, id from (
      select ${at} as at, ${id} as id, row_number() over ordered as place, lead(${id}) over ordered as next
      from ${from} where ${where} window ordered as (order by ${at}, ${id})) placed
    where place % ${sql.lit(size)} = 0 and next is not null`.execute(db)
  return rows.map(positionOf)
}

/** Reads addresses after a position; without one, the first. */
export async function listAddresses(
  db: Database,
  { table, from, where, at, id, named }: AddressList,
  after: Position | null,
  limit: number,
): Promise<Address[]> {
  const isAfter = after !== null && sql`(${at}, ${id}) > (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<{ slug: string; updated_at: Date; at: Date; id: string }>`
    select ${named?.by ?? sql`r.slug`} as slug, r.updated_at, picked.at, picked.id
    from (select ${at} as at, ${id} as id from ${from} where ${allOf(where, isAfter)}
      order by ${at}, ${id} limit ${limit}) picked
    join ${sql.table(table)} r on r.id = picked.id order by picked.at, picked.id`.execute(db)
  return rows.map(({ slug, updated_at, ...key }) => ({
    ...{ slug: named?.slugOf(slug, key.id) ?? slug, updated_at },
    position: positionOf(key),
  }))
}

const positionOf = ({ at, id }: { at: Date; id: string }): Position => ({ at: at.toISOString(), id })
