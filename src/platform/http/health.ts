import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { unavailable } from '../errors.ts'
import { open } from './audiences.ts'
import type { Drain } from './drain.ts'
import type { HttpServer } from './http-server.ts'

/** `/healthz`: the process answers. `/readyz`: it may be sent traffic. */
export function healthRoutes(server: HttpServer, { db, drain }: { db: Database; drain: Drain }): void {
  open(server, (scope) => {
    scope.get('/healthz', async () => ({ status: 'alive' }))
    scope.get('/readyz', async () => {
      if (drain.started) throw unavailable()
      await sql`select 1`.execute(db)
      return { status: 'ready' }
    })
  })
}
