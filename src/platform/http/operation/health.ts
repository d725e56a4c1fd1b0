import { sql } from 'kysely'
import type { JobsRole } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import type { Database } from '../../database/connect.ts'
import { within } from '../../database/pools/with-timeout.ts'
import { unavailable } from '../../errors.ts'
import { open } from '../audiences.ts'
import type { HttpServer } from '../http-server.ts'
import type { Drain } from './drain.ts'

type HealthDeps = {
  /** A dedicated connection. */
  health: Database
  drain: Drain
  /** Whether the public site serves `/`. */
  hasSite?: boolean
  /** The path of the browser application; null where none is served. */
  application?: string | null
  readyTimeoutMs?: number
  /** Shown by `/readyz`. */
  jobs: JobsRole
}

/**
 * Serves `/healthz` (the process is alive), `/readyz` (it can receive traffic) and, without the public site, `/`, which
 * redirects browsers to the application, if there is one, and other clients to the documentation.
 */
export function healthRoutes(
  server: HttpServer,
  { health, drain, hasSite = false, application = null, readyTimeoutMs = 2_000, jobs }: HealthDeps,
): void {
  const checkDatabase = sharedWhileRunning(() => requireWritable(health))
  open(server, (scope) => {
    if (!hasSite)
      scope.get('/', async ({ headers }, reply) => {
        const isBrowser = headers.accept?.includes('text/html') ?? false
        reply.header('vary', 'Accept')
        return reply.redirect(isBrowser && application !== null ? application : 'docs/')
      })
    scope.get('/healthz', { config: { hosts: 'any' } }, async () => ({ status: 'alive' }))
    scope.get('/readyz', { config: { hosts: 'any' } }, async () => {
      if (drain.announced) throw unavailable('stopping')
      await within(readyTimeoutMs, checkDatabase(), 'the database does not answer in time')
      return { status: 'ready', version, jobs }
    })
  })
}

async function requireWritable(db: Database): Promise<void> {
  // A standby in recovery is read-only too. Commits wait for a synchronous standby without a timeout: not
  // ready if no standby is connected, or if a session of this role waits for one. (Only monitors may see
  // which one is synchronous.)
  const { rows } = await sql<{ isReadOnly: boolean; lacksStandby: boolean }>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local')
        and current_setting('max_wal_senders')::int > 0
        and (not exists (select from pg_stat_replication)
          or exists (select from pg_stat_activity where usename = current_user and wait_event = 'SyncRep'
            and state_change < clock_timestamp() - interval '2 seconds'))
      as "lacksStandby"`.execute(db)
  if (rows[0]?.isReadOnly !== false) throw unavailable('the database is read-only')
  if (rows[0].lacksStandby) throw unavailable('writes wait for a synchronous standby that is gone')
}

/** Shares one running query between concurrent requests. */
function sharedWhileRunning(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
