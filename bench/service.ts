import { join, resolve } from 'node:path'
import { bundledNode } from '../bin/bundled-node.js'
import { type BenchDatabase, urlOf } from './connections.ts'
import { type Process, startProcess } from './process.ts'

/** Without a comma, which would separate two secrets. */
export const secret = 'a secret for measuring that is long enough to be one'

type Start = { name: string; database: BenchDatabase; env?: Record<string, string>; checkout?: string }

/** Starts the service as in production: log and metrics on, rate limits off because one address sends everything. */
export function startService({ name, database, env = {}, checkout = ownCheckout }: Start): Promise<Process> {
  // Each checkout uses its own Node.
  const node = bundledNode(resolve(checkout, 'package.json')) ?? process.execPath
  return startProcess({
    name,
    // Without npm, which forwards no signals.
    node,
    arguments: [resolve(checkout, 'bin/parvis.js')],
    readyPath: '/readyz',
    env: {
      ...Object.fromEntries(limits.map((limit) => [`RATE_LIMIT_${limit}`, 'off'])),
      DATABASE_URL: urlOf(database.service),
      MIGRATE_DATABASE_URL: urlOf(database.owner),
      AUTH_JWT_SECRET: secret,
      SESSION_KEY: secret,
      // The measured sessions belong to an administrator, who would otherwise need a second factor.
      SECOND_FACTOR: 'none',
      PAYMENT_SIGNING_SECRETS: secret,
      IMPORT_ALLOW_PRIVATE: 'true',
      PUSH_SERVICES: '*',
      MAX_CONNECTIONS_PER_ADDRESS: 'off',
      METRICS_PORT: '0',
      SHUTDOWN_DELAY: '0',
      LOG_LEVEL: 'info',
      ...env,
    },
  })
}

const ownCheckout = join(import.meta.dirname, '..')
const limits = ['CREATE', 'EDIT', 'REPORT', 'CLAIM', 'ALERT', 'MODERATE', 'SUPPORT', 'SIGN_IN']
