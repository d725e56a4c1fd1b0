import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { TSchema } from 'typebox'
import type { AuditedKind } from './audit/record.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { OnOwnConnection } from './database/connections/own-connection.ts'
import type { Errors } from './errors.ts'
import type { MairieParameter } from './http/audiences.ts'
import type { ConstraintErrors } from './http/error-handler.ts'
import type { HttpServer, SignedInScope } from './http/http-server.ts'
import type { Handler, Schedule } from './jobs/job.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { MailKind } from './mail/kept-mails.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Personal } from './personal.ts'
import type { Settings } from './settings.ts'

/** What routes and jobs are given. */
export type Deps = {
  config: Config
  db: Database
  onOwnConnection: OnOwnConnection
  log: FastifyBaseLogger
  clock: Clock
  jobs: Jobs
  mailer: Mailer
  /** All of them: the dashboard and the retention job ask each for its part. */
  modules: readonly Module[]
}

/**
 * What a module says of itself. Each field has one reader, named beside it; `app.ts` lists the modules. A module brings
 * only the fields it needs.
 */
export type Module = {
  /** Also the tag of its routes in the OpenAPI document. */
  name: string
  /** One line for the OpenAPI document. */
  about: string
  /** Read by `registerModules`, in `http/modules.ts`. */
  routes?: {
    /** Reading, for anybody whose application says its name. */
    public?: Routes
    /** Writing by anybody; who signs in is known. */
    publicWrites?: Routes
    /** For whoever is signed in. */
    bearer?: SignedInRoutes
    /** For members of the mairie that the path names. */
    mairie?: readonly { of: MairieParameter; routes: SignedInRoutes }[]
    /** A part of the back-office; `access/areas.ts` says whom it is open to. */
    admin?: { area: string; routes: SignedInRoutes }
    /** For a provider that signs what it sends. */
    webhook?: Routes
  }
  /** Errors that only its routes answer. Read by the OpenAPI document. */
  errors?: Errors
  /** Which error a violated constraint of its tables is. Read by the error handler. */
  constraints?: ConstraintErrors
  /** Kinds of records that the trail knows, and their personal fields. Read by `docs/rights.md` and its test. */
  audited?: readonly AuditedKind[]
  /** What it does in the background, and when. Read by `main.ts`. */
  jobs?: (deps: Deps) => Handler[]
  /** Its mails that belong to rows. Read by the module mails, which sees to those that nobody knows the end of. */
  mails?: readonly MailKind[]
  schedules?: readonly Schedule[] | ((config: Config) => readonly Schedule[])
  /** Rate limits that its routes name, with the usual value; each has a setting. Read by `config.ts`. */
  limits?: Readonly<Record<string, string>>
  /** Its own settings. Read by `config.ts`. */
  settings?: Settings<unknown>
  /** What it counts and measures. Read by `main.ts`. */
  metrics?: (registry: Registry, deps: Deps) => void
  /** Its part of the dashboard. Read by the dashboard. */
  figures?: Figures
  /** In how many ms what a table shows changes by itself, were it so long ago; null: never. Read by the cache. */
  changesByTime?: Readonly<Record<string, (db: Database, lookbackMs: number) => Promise<number | null>>>
  /** What it keeps of people, for them to have and to have erased. Read by the module privacy. */
  personal?: readonly Personal[]
  /** What of its records goes after how many months; each has a setting. Read by the retention job. */
  retention?: readonly Retention[]
}

/** What all of them do by the clock, where some of it depends on what is set. */
export const schedulesOf = (modules: readonly Module[], config: Config): Schedule[] =>
  modules.flatMap(({ schedules = [] }) => (typeof schedules === 'function' ? schedules(config) : schedules))

export type Routes = (scope: HttpServer, deps: Deps) => void
export type SignedInRoutes = (scope: SignedInScope, deps: Deps) => void

/** One field of the dashboard. It is left out where it cannot be read in time. */
export type Figures = Readonly<
  Record<string, { schema: TSchema; read(tx: Database, config: Config): Promise<unknown> }>
>

/**
 * What goes when it is old enough, the oldest first, at most `limit` rows at once; answers how many went. A row that
 * somebody holds, another instance of the job above all, is left to them or to tomorrow. On the connection it is given,
 * and no transaction of its own: a dry run takes back what it does.
 */
export type Retention = {
  name: string
  months: number
  sweep(db: Database, months: number, limit: number): Promise<number>
}
