import type { FastifyBaseLogger } from 'fastify'
import type { RawBuilder } from 'kysely'
import type { Counter, Registry } from 'prom-client'
import type { TSchema } from 'typebox'
import type { AppSources } from './access/app-sources.ts'
import type { Authenticate } from './access/authenticate.ts'
import type { Cookies } from './access/cookies.ts'
import type { LoadDigests } from './access/erased-identities.ts'
import type { Rule } from './access/rules.ts'
import type { Sessions } from './access/sessions.ts'
import type { AuditedKind } from './audit/record.ts'
import type { Config } from './config/config.ts'
import type { Settings } from './config/settings.ts'
import type { Database, Databases } from './database/connect.ts'
import type { OnOwnConnection } from './database/connections/own-connection.ts'
import type { PublicDatabases } from './database/replica/public-databases.ts'
import type { Errors, Text } from './errors.ts'
import type { MemberPath } from './http/audiences.ts'
import type { ConstraintErrors } from './http/error-handler.ts'
import type { HttpServer, SignedInScope } from './http/http-server.ts'
import type { CsvLists } from './http/listing/csv-lists.ts'
import type { Drain } from './http/operation/drain.ts'
import type { RateLimits } from './http/rate-limits/rate-limits.ts'
import type { Handler, Schedule } from './jobs/job.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Mailer } from './mail/mailer.ts'
import type { AnsweredMail, ListedMailKind } from './mail/row-mails.ts'
import type { TransportKind } from './mail/transports.ts'
import type { MovesOnMerge } from './merging.ts'
import type { Personal } from './personal.ts'
import type { SearchSource } from './search-source.ts'
import type { Clock } from './time/clock.ts'
import type { Undoable } from './undo.ts'

/**
 * Dependencies of routes and jobs. A list route uses the database `lists`, another GET `reads`, a write `db`;
 * a job uses `db` for its writes.
 */
export type Deps = Databases & {
  config: Config
  onOwnConnection: OnOwnConnection
  log: FastifyBaseLogger
  clock: Clock
  jobs: Jobs
  mailer: Mailer
  /** For public reads, where replicas serve them. */
  publicly?: PublicDatabases
  /** All modules: the dashboard and the retention job collect a part from each. */
  modules: readonly Module[]
}

/** Additional dependencies of routes. */
export type RouteDeps = Deps & {
  authenticate: Authenticate
  sessions: Sessions
  cookies: Cookies
  limits: RateLimits
  digests: LoadDigests
  drain: Drain
  sources: AppSources
  /** The back-office lists that can be exported. */
  csv: CsvLists
}

/**
 * The declaration of a module. Each field has one reader, named beside it; `app.ts` lists the modules. A module
 * declares only the fields it needs.
 */
export type Module = {
  /** Also the tag of its routes in the OpenAPI document. */
  name: string
  /** One-line description for the OpenAPI document. */
  about: string
  /** Read by `register-modules.ts`. */
  routes?: {
    /** Public reads, for any client that sends `X-App-Source`. */
    public?: Routes
    /** Public writes; a signed-in user is recognised. */
    publicWrites?: Routes
    /** Signing in, confirming and signing out. */
    signIn?: Routes
    /** Addresses that a browser opens by itself, without `X-App-Source`. */
    navigation?: Routes
    /** For any signed-in user. */
    bearer?: SignedInRoutes
    /** For members of the mairie named by the path. */
    mairie?: readonly { of: MemberPath; routes: SignedInRoutes }[]
    /** Routes of a back-office area; `access/areas.ts` lists the roles that open it. */
    admin?: { area: string; routes: SignedInRoutes }
    /** Back-office routes for any role; each handler checks the area of its record. */
    office?: SignedInRoutes
    /** For a provider that signs its requests. */
    webhook?: Routes
  }
  /** Errors that only its routes return. Read by the OpenAPI document. */
  errors?: Errors
  /** The rules that its routes name in `needs`. Read by `app.ts`. */
  permissions?: readonly Rule[]
  /** Maps the constraints of its tables to errors. Read by the error handler. */
  constraints?: ConstraintErrors
  /** Its audited kinds of records with their personal fields. Used by `docs/rights.md` and its test. */
  audited?: readonly AuditedKind[]
  /** Its background jobs. Read by `parts.ts`. */
  jobs?: ModuleJobs
  /** Its settings. Read by `config.ts`. */
  settings?: ModuleSettings
  metrics?: ModuleMetrics
  /** Parts of the back-office that it contributes. */
  office?: Office
  /**
   * Finds, for each table, the milliseconds until its public content next changes without a write, counted from
   * `lookbackMs` ago; null: never. The result holds until one of the tables `with` changes. Read by the cache.
   */
  changesByTime?: Readonly<
    Record<
      string,
      {
        with: readonly string[]
        find: (db: Database, lookbackMs: number, now: Date) => Promise<number | null>
      }
    >
  >
  /** Personal data it stores, for export and erasure; by settings, if it is found by a key. Read by the module privacy. */
  personal?: readonly Personal[] | ((config: Config) => readonly Personal[])
  /**
   * Updates rows of its tables when acteurs are merged, where replacing the id is not enough. Read by the
   * module acteurs.
   */
  movesOnMerge?: readonly MovesOnMerge[]
  /** Records it deletes or anonymises after a number of months; each has a setting. Read by the retention job. */
  retention?: readonly Retention[]
}

type ModuleJobs = {
  handlers: (deps: Deps) => Handler[]
  schedules?: readonly Schedule[] | ((config: Config) => readonly Schedule[])
  /**
   * Names of jobs that name a user only as the author of the work. An erasure leaves them, so that the work is done.
   * Read by the module privacy.
   */
  authored?: readonly string[]
}

type ModuleSettings = {
  own?: Settings<unknown>
  /** Rate limits that its routes name, with defaults; each has a setting. */
  limits?: Readonly<Record<string, string>>
  /** Settings that are not in use, and what does not work without them. Read by the module system. */
  off?: readonly SettingOff[]
}

/** Read by `parts.ts`. */
type ModuleMetrics = {
  /** Counters of each process. */
  counters?: readonly Counter[]
  /** Adds metrics that are read from the database, in one process of an instance. */
  watch?: (registry: Registry, deps: Deps) => void
}

type Office = {
  /** Its part of the dashboard. Read by the dashboard. */
  figures?: Figures
  /** Daily counts. Read by the dashboard. */
  daily?: DailyCounts
  /** Work queued for colleagues, shown as badges. Read by the dashboard. */
  waiting?: readonly Waiting[]
  /** Changes of its records that have no audit entry. Read by the module events. */
  watched?: readonly WatchedRows[]
  /** How the global search finds its records. Read by the module search. */
  searchSources?: readonly SearchSource[]
  /** Its mails that belong to rows. Read by the module mails. */
  mails?: readonly ListedMailKind[]
  /** Other messages of its own that wait to leave. Read by the module system. */
  unsent?: readonly UnsentMessages[]
  /** Its mails whose answers go to the support. Read by the module messages. */
  answered?: readonly AnsweredMail[]
  /** How decisions on its records are undone, by kind of record. Read by the module recent-decisions. */
  undoes?: Readonly<Record<string, Undoable>>
}

/** Returns the schedules of all modules, some of which depend on settings. */
export const schedulesOf = (modules: readonly Module[], config: Config): Schedule[] =>
  modules.flatMap(({ jobs: { schedules = [] } = {} }) =>
    typeof schedules === 'function' ? schedules(config) : schedules,
  )

/** Returns the personal data of all modules. */
export const personalOf = (modules: readonly Module[], config: Config): Personal[] =>
  modules.flatMap(({ personal = [] }) => (typeof personal === 'function' ? personal(config) : personal))

export type Routes = (scope: HttpServer, deps: RouteDeps) => void
export type SignedInRoutes = (scope: SignedInScope, deps: RouteDeps) => void

/** A setting that is not in use. `isAdvised`: most installations need it. */
export type SettingOff = {
  setting: string
  isOff: (config: Config) => boolean
  effect: Text
  isAdvised: boolean
  /** Section of the documentation, as `file.md#section`. */
  docs: string
}

/** Dashboard fields. A field is omitted if its query takes too long. */
export type Figures = Readonly<
  Record<
    string,
    {
      schema: TSchema
      /** Shown only to roles that open this area. */
      area?: string
      read(tx: Database, config: Config): Promise<unknown>
    }
  >
>

/**
 * Daily counts by key: `count` selects the number between two times, by an index. Stored once the day is
 * over.
 */
export type DailyCounts = Readonly<
  Record<
    string,
    {
      description: string
      count(since: RawBuilder<Date>, until: RawBuilder<Date>): RawBuilder<number>
    }
  >
>

/** Messages that wait for a transport: `rows` selects their number as `count` and the time of the oldest as `oldest_at`. */
export type UnsentMessages = { transport: TransportKind; rows: RawBuilder<unknown> }

/** Work queued in an area: `rows` selects its number as `count` and the time of the oldest as `oldest_at`. */
export type Waiting = { key: string; area: string; rows: (config: Config) => RawBuilder<unknown> }

/** A state to compare once a second: `state` selects one value that differs when records of the topics changed. */
export type WatchedRows = { topics: readonly string[]; state: RawBuilder<unknown> }

/**
 * A retention rule: deletes or anonymises the oldest expired rows, at most `limit` per call, and returns how
 * many. Skips locked rows, which another instance or tomorrow's run handles. Opens no transaction on the
 * given connection, because a dry run rolls back.
 */
export type Retention = {
  name: string
  months: number
  sweep(db: Database, months: number, limit: number): Promise<number>
}
