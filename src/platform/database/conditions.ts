import { type RawBuilder, sql } from 'kysely'

/** The conditions that are asked for, all of them; `false` stands for one that is not. */
export function allOf(...conditions: (RawBuilder<unknown> | false)[]): RawBuilder<boolean> {
  const asked = conditions.filter((condition) => condition !== false)
  return asked.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(asked, sql` and `)}`
}

/** At least one of them. */
export const anyOf = (...conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 1 && conditions[0]
    ? conditions[0]
    : sql<boolean>`(${sql.join(conditions, sql` or `)})`

/** One of these values; `false` where none is asked for. */
export const among = (column: string, values: readonly unknown[] | undefined): RawBuilder<boolean> | false =>
  values !== undefined && sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`

/** Flags that are asked for, so that a partial index on the flag serves; both are no condition. */
export function flag(column: string, values: readonly boolean[] | undefined): RawBuilder<boolean> | false {
  if (values === undefined || new Set(values).size === 2) return false
  return values[0] ? sql<boolean>`${sql.ref(column)}` : sql<boolean>`not ${sql.ref(column)}`
}
