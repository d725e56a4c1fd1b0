import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { DatabaseAccess } from '../parts.ts'
import type { Config } from '../platform/config/config.ts'

/** The settings that a worker needs and must not find in its environment. */
export type Setup = {
  /** Shared by the workers of one instance. */
  instance: string
  /** Its place, from 1 to WORKERS: the worker that replaces it has the same. */
  number: number
  database: DatabaseAccess
  /** Secrets stored with the embedded database, by name; null with an external one. */
  secrets: Record<string, string> | null
  /** Its default depends on what the database contains. */
  secondFactor: Config['secondFactor']
  /** Folder of the back-office application; null until the primary process has found or built it. */
  webAppFolder: string | null
}

/** Values of all metrics of a process. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

export type ToWorker =
  | { kind: 'setup'; setup: Setup }
  /** The whole instance stops soon: `/readyz` returns 503. */
  | { kind: 'announce' }
  | { kind: 'stop' }
  /** Another worker has taken its place: accept nothing more, finish, exit. */
  | { kind: 'retire' }
  | { kind: 'measure'; request: number }
  | { kind: 'web-app-built'; folder: string }

export type FromWorker =
  | { kind: 'started' }
  | { kind: 'ready'; url: string }
  /** Sent before it exits because it cannot start. */
  | { kind: 'failed'; reason: string }
  | { kind: 'measured'; request: number; snapshot: Snapshot }
  /** Sent before it exits. */
  | { kind: 'last-measured'; snapshot: Snapshot }
