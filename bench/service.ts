import { join, resolve } from 'node:path'
import { type BenchDatabase, urlOf } from './connections.ts'
import { type Process, startProcess } from './process.ts'

/** Without a comma: of one setting it is a list. */
export const secret = 'a secret for measuring that is long enough to be one'

type Start = { name: string; database: BenchDatabase; env?: Record<string, string>; checkout?: string }

/** The service as it runs in production: log and metrics on, limits off, since one address asks for everything. */
export function startService({ name, database, env = {}, checkout = ownCheckout }: Start): Promise<Process> {
  return startProcess({
    name,
    // Without npm between, which forwards no signal; each checkout with the Node that it brings.
    node: resolve(checkout, 'node_modules/.bin/node'),
    arguments: [resolve(checkout, 'bin/parvis.js')],
    readyPath: '/readyz',
    env: {
      ...Object.fromEntries(limits.map((limit) => [`RATE_LIMIT_${limit}`, 'off'])),
      DATABASE_URL: urlOf(database.service),
      MIGRATE_DATABASE_URL: urlOf(database.owner),
      AUTH_JWT_SECRET: secret,
      PAYMENT_SIGNING_SECRETS: secret,
      IMPORT_ALLOW_PRIVATE: 'true',
      METRICS_PORT: '0',
      SHUTDOWN_DELAY: '0',
      LOG_LEVEL: 'info',
      ...env,
    },
  })
}

const ownCheckout = join(import.meta.dirname, '..')
const limits = ['CREATE', 'EDIT', 'REPORT', 'CLAIM', 'ALERT', 'MODERATE', 'SUPPORT']
