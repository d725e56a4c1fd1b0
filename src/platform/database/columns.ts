import { sql } from 'kysely'

/** The columns of a record: a record's fields stand in the schema of its answer, and nowhere else. */
export const columnsOf = <Fields extends object>(fields: Fields) =>
  Object.keys(fields) as (keyof Fields & string)[]

/** The same, as a statement lists them. */
export const columnList = (fields: object, table?: string) =>
  sql.join(columnsOf(fields).map((name) => sql.ref(table === undefined ? name : `${table}.${name}`)))
