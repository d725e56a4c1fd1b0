import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { within } from '../../database/pools/within.ts'
import { unavailable } from '../../errors.ts'
import { version } from '../../version.ts'
import { open } from '../audiences.ts'
import type { HttpServer } from '../http-server.ts'
import type { Drain } from './drain.ts'

type HealthDeps = {
  /** On a connection that nothing else takes. */
  health: Database
  drain: Drain
  readyTimeoutMs?: number
}

/** `/healthz`: the process answers. `/readyz`: it may be sent traffic. `/` leads to the documentation. */
export function healthRoutes(
  server: HttpServer,
  { health, drain, readyTimeoutMs = 2_000 }: HealthDeps,
): void {
  const checkDatabase = sharedWhileRunning(() => requireWritable(health))
  open(server, (scope) => {
    scope.get('/', async (_request, reply) => reply.redirect('docs/'))
    scope.get('/healthz', async () => ({ status: 'alive' }))
    scope.get('/readyz', async () => {
      if (drain.announced) throw unavailable('stopping')
      await within(readyTimeoutMs, checkDatabase(), 'the database does not answer in time')
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
