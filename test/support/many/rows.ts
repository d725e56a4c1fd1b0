import pg from 'pg'
import type { Connection } from '../../../src/platform/database/connection.ts'

/**
 * Fills tables like a replica: no triggers, no foreign key checks. Indexes are built afterwards. A single writer, so
 * that rows are always in the same order.
 */
export async function insertManyRows(
  superuser: Connection,
  tables: string[],
  insert: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await withoutIndexes(client, tables, () => insert(client))
  } finally {
    await client.end()
  }
}

/** Indexes of keys and constraints stay. */
export async function withoutIndexes(
  client: pg.Client,
  tables: string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(indexesOf, [tables])
  await client.query(rows.map(({ name }) => `drop index ${name}`).join(';'))
  await work()
  await client.query(rows.map(({ definition }) => definition).join(';'))
}

const indexesOf = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
  from pg_index where indrelid = any($1::regclass[])
    and not exists (select from pg_constraint where conindid = indexrelid)
  order by indexrelid`
