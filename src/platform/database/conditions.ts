import { type RawBuilder, sql } from 'kysely'

/** The conditions that are asked for, all of them; `false` stands for one that is not. */
export function allOf(...conditions: (RawBuilder<unknown> | false)[]): RawBuilder<boolean> {
  const asked = conditions.filter((condition) => condition !== false)
  return asked.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(asked, sql` and `)}`
}
