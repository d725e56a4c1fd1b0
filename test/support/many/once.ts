import pg from 'pg'
import { inject } from 'vitest'
import type { Connection } from '../../../src/platform/database/connection.ts'
import { cloneDatabase } from '../world.ts'

export type Roles = { superuser: Connection; owner: Connection }

/**
 * Returns a copy of a filled database, made once per run by the first caller; other workers wait. The name describes
 * the content.
 */
export async function cloneFilled(content: string, fill: (roles: Roles) => Promise<unknown>) {
  const { superuser, owner, template } = inject('server')
  const [name, unfinished] = [`${template}_filled_${content}`, `${template}_filling_${content}`]
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const made = await client.query('select from pg_database where datname = $1', [name])
    if (made.rowCount === 0) {
      await client.query(`create database ${unfinished} template ${template} owner ${owner.user}`)
      await fill({
        superuser: { ...superuser, database: unfinished },
        owner: { ...owner, database: unfinished },
      })
      await client.query(`alter database ${unfinished} rename to ${name}`)
    }
  } finally {
    await client.end()
  }
  return cloneDatabase(name)
}
