import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { unavailable } from '../errors.ts'
import { version } from '../version.ts'
import { open } from './audiences.ts'
import type { Drain } from './drain.ts'
import type { HttpServer } from './http-server.ts'

type HealthDeps = { db: Database; drain: Drain; readyTimeoutMs?: number }

/** `/healthz`: the process answers. `/readyz`: it may be sent traffic. `/` leads to the documentation. */
export function healthRoutes(server: HttpServer, { db, drain, readyTimeoutMs = 2_000 }: HealthDeps): void {
  const checkDatabase = sharedWhileRunning(() => requireWritable(db))
  open(server, (scope) => {
    scope.get('/', async (_request, reply) => reply.redirect('docs/'))
    scope.get('/healthz', async () => ({ status: 'alive' }))
    scope.get('/readyz', async () => {
      if (drain.announced) throw unavailable('stopping')
      await within(readyTimeoutMs, checkDatabase())
      return { status: 'ready', version }
    })
  })
}

async function requireWritable(db: Database): Promise<void> {
  // A standby in recovery is read-only too.
  const { rows } = await sql<{ setting: string }>`
    select current_setting('transaction_read_only') as setting`.execute(db)
  if (rows[0]?.setting !== 'off') throw unavailable('the database is read-only')
}

/** However many ask at once, the database is asked once. */
function sharedWhileRunning(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}

/** Sooner than a balancer gives up, and than the pool does. */
async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable('the database does not answer in time')), timeoutMs)
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
