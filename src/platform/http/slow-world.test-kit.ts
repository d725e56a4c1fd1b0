import { sql } from 'kysely'
import type pg from 'pg'
import Type from 'typebox'
import { openWorld } from '../../../test/support/world.ts'
import * as audiences from './audiences.ts'

const schema = (operationId: string) => ({
  operationId,
  summary: operationId,
  tags: ['communes'],
  response: { 200: Type.Unknown() },
})

// For what comes at once where nothing else runs.
export const patience = { timeout: 15_000 }

/**
 * A world with a route that answers once it is released, two that take their time in the database, and one that blocks
 * the event loop.
 */
export async function openSlowWorld(options: Parameters<typeof openWorld>[0] = {}) {
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const world = await openWorld({
    ...options,
    extraRoutes: (api, deps) =>
      audiences.publicReads(api, deps, (scope) => {
        scope.get('/test/waiting', { schema: schema('waiting') }, async () => {
          entered.resolve()
          await released.promise
          return {}
        })
        scope.get('/test/slow', { schema: schema('slow') }, async () => {
          await sql`select pg_sleep(30)`.execute(deps.db)
          return {}
        })
        scope.get('/test/stuck', { schema: schema('stuck') }, async () => {
          await sql`set local statement_timeout = 50; select pg_sleep(5)`.execute(deps.db)
          return {}
        })
        scope.get('/test/busy', { schema: schema('busy') }, async () => {
          const until = performance.now() + 1_500
          while (performance.now() < until);
          return {}
        })
      }),
  })
  return { ...world, entered: entered.promise, release: released.resolve }
}

/** All of a pool, one after the other: each has its time to connect. */
export async function takeConnections(pool: pg.Pool): Promise<pg.PoolClient[]> {
  const clients: pg.PoolClient[] = []
  while (clients.length < pool.options.max) clients.push(await pool.connect())
  return clients
}
