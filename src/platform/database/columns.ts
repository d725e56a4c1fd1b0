import { type RawBuilder, sql } from 'kysely'

/** Returns the columns of a record. The response schema is the only place that lists its fields. */
export const columnsOf = <Fields extends object>(fields: Fields) =>
  Object.keys(fields) as (keyof Fields & string)[]

/** Returns columns, or those of a record, as a comma-separated SQL list. */
export const columnList = (fields: object | readonly string[], table?: string) =>
  sql.join(
    (Array.isArray(fields) ? fields : columnsOf(fields)).map((name: string) =>
      sql.ref(table === undefined ? name : `${table}.${name}`),
    ),
  )

/** Formats a timestamp within JSON as elsewhere in responses. */
export const jsonTime = (time: RawBuilder<unknown>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
