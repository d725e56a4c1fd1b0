import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import { StartError } from '../../../platform/config/start-error.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { enqueueLost } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { notifyAdministrators } from '../../users/administrators.ts'
import { applyEventJob } from '../effects/jobs.ts'
import { paymentEvent } from '../events.ts'
import type { EventStatus } from '../kinds.ts'
import { failureNotice } from './mail.ts'
import * as queries from './queries.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>

/** Re-enqueues a failed or ignored event. */
export function replayEvent({ db, jobs }: Tools, id: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { status, isKept } = await getEnded(tx, id)
    if (status === 'processed') throw new StartError(`${id} was already applied: there is nothing to replay.`)
    if (!isKept)
      throw new StartError(
        `${id} cannot be replayed: its content is no longer stored, or never had an effect.`,
      )
    await restart(tx, jobs, [id], status)
  })
}

/** Re-enqueues all events that have failed by now, oldest first, each once. Returns their number. */
export async function replayFailed({ db, jobs }: Tools, batch = 200): Promise<number> {
  // A faulty event fails again within milliseconds, and must not be replayed in the next batch.
  const until = await queries.readTime(db)
  for (let count = 0; ; ) {
    const replayed = await db.transaction().execute(async (tx) => {
      const ids = await queries.listFailedForUpdate(tx, until, batch)
      await restart(tx, jobs, ids, 'failed')
      return ids.length
    })
    count += replayed
    if (replayed < batch) return count
  }
}

/** Marks a failed event as ignored, so that administrators are no longer notified of it. */
export function ignoreEvent(db: Database, id: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { status } = await getEnded(tx, id)
    if (status === 'processed')
      throw new StartError(`${id} was already applied: it can no longer be ignored.`)
    await queries.ignoreEvent(tx, id)
    await note(tx, 'ignore', [id], status, 'ignored')
  })
}

/** Mails the administrators about failed events at most once an hour. */
export async function notifyOfFailures({ db, jobs }: Tools, now: Date): Promise<number> {
  const failed = await queries.countFailed(db)
  if (failed === 0) return 0
  const hour = now.toISOString().slice(0, 13).replace('T', '-')
  await db
    .transaction()
    .execute((tx) =>
      notifyAdministrators(tx, { jobs }, { key: `payments-failed-${hour}`, ...failureNotice(failed) }),
    )
  return failed
}

/** Re-enqueues events whose job was lost, for example by a restore, or whose result could not be stored. */
export async function enqueueForgotten({ db, jobs }: Tools, limit = 500): Promise<number> {
  const ids = await queries.listForgotten(db, limit)
  await enqueueLost({ db, jobs }, applyEventJob, ids, (eventId) => ({ eventId }))
  return ids.length
}

async function getEnded(tx: Database, id: string) {
  const event = await queries.findEventForUpdate(tx, id)
  if (event === null) throw new StartError(`There is no event ${id}.`)
  if (event.status === 'received') throw new StartError(`${id} is already queued.`)
  return event
}

/** Enqueues without a shared key: the job of the failed attempt may still be ending, and would suppress the new one. */
async function restart(tx: Database, jobs: Deps['jobs'], ids: string[], was: EventStatus): Promise<void> {
  await queries.restartEvents(tx, ids)
  await note(tx, 'replay', ids, was, 'received')
  for (const eventId of ids) await jobs.enqueue(tx, applyEventJob, { eventId })
}

async function note(tx: Database, action: string, ids: string[], was: EventStatus, is: EventStatus) {
  const change = { action: `payment_event.${action}`, kind: paymentEvent }
  const [before, after] = [{ status: was }, { status: is }]
  await append(
    tx,
    operator,
    ids.map((entityId) => ({ ...change, entityId, before, after })),
  )
}
