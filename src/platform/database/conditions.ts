import { type RawBuilder, sql } from 'kysely'

/** Joins conditions with AND; `false` means that a filter was not given. */
export function allOf(...conditions: (RawBuilder<unknown> | false)[]): RawBuilder<boolean> {
  const asked = conditions.filter((condition) => condition !== false)
  return asked.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(asked, sql` and `)}`
}

/** Joins conditions with OR. */
export const anyOf = (...conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 1 && conditions[0]
    ? conditions[0]
    : sql<boolean>`(${sql.join(conditions, sql` or `)})`

/** Matches one of the values; `false` when no value was given. */
export const among =
  (column: string) =>
  (values: readonly unknown[] | undefined): RawBuilder<boolean> | false =>
    values !== undefined && sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`

export const equals = (column: string) => (value: unknown) => sql<boolean>`${sql.ref(column)} = ${value}`

/**
 * Filters by a column or condition, written so that a partial index on it applies. With both values it does not
 * filter.
 */
export function flag(isSet: string | RawBuilder<unknown>) {
  const condition = typeof isSet === 'string' ? sql.ref(isSet) : isSet
  return (values: readonly boolean[] | undefined): RawBuilder<boolean> | false =>
    values !== undefined &&
    new Set(values).size === 1 &&
    (values[0] ? sql<boolean>`${condition}` : sql<boolean>`not ${condition}`)
}
