import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

/**
 * What carries messages out of the service. `transport_failures` has a row while the last attempts of a transport were refused:
 *
 *   works (no row) ── refused ──► in doubt (1) ── refused ──► failing (2 and more)
 *          ▲                           └────── a success ────────┘
 *
 * All instances share the row, and it survives restarts. A success deletes it; where there is none, that writes nothing.
 */
export const transportKinds = ['mail', 'push'] as const
export type TransportKind = (typeof transportKinds)[number]

/** Consecutive refusals from which a transport counts as failing: one may concern a single message. */
export const failingFrom = 2

/** What became of an attempt: null if the message was accepted, else one line without addresses. */
export type Refusal = string | null
/** Notes attempts of a transport, in their order; never rejects. */
export type NotesAttempts = (attempts: readonly Refusal[]) => Promise<void>

type Tools = { db: Database; log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'> }

/** Watches a transport: keeps its state, and logs what does not get through. */
export function watchTransport({ db, log }: Tools, kind: TransportKind): NotesAttempts {
  return async (attempts) => {
    if (attempts.length === 0) return
    const refusals = attempts.slice(attempts.lastIndexOf(null) + 1).filter((one) => one !== null)
    const lastError = refusals.at(-1)
    try {
      if (refusals.length < attempts.length && (await endFailure(db, kind)))
        log.info({ transport: kind }, 'messages get through again')
      if (lastError === undefined) return
      const total = await countRefusals(db, kind, refusals.length, lastError)
      const told = { transport: kind, error: lastError, refusals: total }
      if (total < failingFrom) log.warn(told, 'a message does not get through')
      else log.error(told, 'messages do not get through')
    } catch (err) {
      log.warn({ err, transport: kind, error: lastError }, 'the state of a transport was not stored')
    }
  }
}

/** Returns true if the transport was failing. */
async function endFailure(db: Database, kind: TransportKind): Promise<boolean> {
  const { rows } = await sql<{ refusals: number }>`
    delete from transport_failures where kind = ${kind} returning refusals`.execute(db)
  return (rows[0]?.refusals ?? 0) >= failingFrom
}

async function countRefusals(db: Database, kind: TransportKind, count: number, error: string) {
  const { rows } = await sql<{ refusals: number }>`
    insert into transport_failures as f (kind, refusals, last_error) values (${kind}, ${count}, ${error.slice(0, 300)})
    on conflict (kind) do update set refusals = f.refusals + excluded.refusals, last_error = excluded.last_error
    returning refusals`.execute(db)
  return rows[0]?.refusals ?? count
}

export type TransportFailure = { kind: TransportKind; refusals: number; since: Date; last_error: string }

/** Lists the transports whose last attempt was refused, failing or in doubt. */
export async function listTransportFailures(db: Database): Promise<TransportFailure[]> {
  const { rows } = await sql<TransportFailure>`
    select kind, refusals, since, last_error from transport_failures`.execute(db)
  return rows
}

/** True while mails do not get through, for those who were promised one. It concerns all mails, and tells nothing of an address. */
export async function areMailsDelayed(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from transport_failures where kind = 'mail' and refusals >= ${sql.lit(failingFrom)}`.execute(db)
  return rows.length > 0
}
