import { createHash } from 'node:crypto'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { applyEventJob } from '../effects/jobs.ts'
import { isKnownKind } from '../kinds.ts'
import { insertEvent, type NewEvent } from './queries.ts'
import { eventIdentifier, type PaymentEvent } from './schema.ts'
import { occurredAt, storedFields } from './stored-fields.ts'

/** Stores an event once, together with its job. */
export function recordEvent(
  db: Database,
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  event: PaymentEvent,
): Promise<'received' | 'ignored' | 'duplicate'> {
  const row = newEvent(event, clock())
  return db.transaction().execute(async (tx) => {
    if (!(await insertEvent(tx, row))) return 'duplicate'
    if (row.status === 'ignored') return 'ignored'
    await jobs.enqueue(tx, applyEventJob, { eventId: row.id }, { singletonKey: row.id })
    return 'received'
  })
}

/** Returns the stored form of an event: for a kind without effect, only its arrival. */
export function newEvent(event: PaymentEvent, now: Date): NewEvent {
  const { type } = event
  const id = storedId(event.id)
  const occurred_at = occurredAt(event)
  if (!isKnownKind(type)) return { id, type, occurred_at, status: 'ignored', ended_at: now, fields: null }
  return { id, type, occurred_at, status: 'received', ended_at: null, fields: storedFields(event, type) }
}

/** Returns the id as it is, if it has the usual form; else its digest, because it may be too long or name a person. */
const storedId = (id: string): string =>
  usual.test(id) ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`
const usual = new RegExp(eventIdentifier)
