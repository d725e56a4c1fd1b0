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

// Generous timeout for steps that are immediate on a quiet machine.
export const generous = { timeout: 60_000 }

/**
 * Opens a world with a route that responds when released, two slow database routes and one that blocks the event loop.
 */
export async function openSlowWorld(options: Parameters<typeof openWorld>[0] = {}) {
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const world = await openWorld({
    ...options,
    extraRoutes: (api, deps) =>
      audiences.publicReads(api, deps, (scope) => {
        scope.get(
          '/test/waiting',
          { config: { caching: { never: 'test' } }, schema: schema('waiting') },
          async () => {
            entered.resolve()
            await released.promise
            return {}
          },
        )
        scope.get(
          '/test/slow',
          { config: { caching: { never: 'test' } }, schema: schema('slow') },
          async () => {
            await sql`select pg_sleep(30)`.execute(deps.reads)
            return {}
          },
        )
        scope.get(
          '/test/stuck',
          { config: { caching: { never: 'test' } }, schema: schema('stuck') },
          async () => {
            await sql`set local statement_timeout = 50; select pg_sleep(5)`.execute(deps.reads)
            return {}
          },
        )
        scope.get(
          '/test/busy',
          { config: { caching: { never: 'test' } }, schema: schema('busy') },
          async () => {
            const until = performance.now() + 1_500
            while (performance.now() < until);
            return {}
          },
        )
      }),
  })
  return { ...world, entered: entered.promise, release: released.resolve }
}

/** Checks out all connections of a pool one by one, so that each has time to connect. */
export async function takeConnections(pool: pg.Pool): Promise<pg.PoolClient[]> {
  const clients: pg.PoolClient[] = []
  while (clients.length < pool.options.max) clients.push(await pool.connect())
  return clients
}
