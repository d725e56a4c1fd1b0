import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Mailer } from './mail/mailer.ts'

/** What routes and jobs are given. */
export type Deps = {
  config: Config
  db: Database
  log: FastifyBaseLogger
  clock: Clock
  jobs: Jobs
  mailer: Mailer
}
