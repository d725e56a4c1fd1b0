import { operator } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { StartError } from '../../../platform/start-error.ts'
import { tellAdministrators } from '../../users/administrators/jobs.ts'
import { applyEventJob } from '../effects/jobs.ts'
import type { EventStatus } from '../kinds.ts'
import { paymentEvent } from '../record.ts'
import * as queries from './queries.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>

/** Puts one that has failed, or that somebody has had ignored, in line again. */
export function replayEvent({ db, jobs }: Tools, id: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { status, isKept } = await getEnded(tx, id)
    if (status === 'processed') throw new StartError(`${id} has had its effect: there is nothing to replay.`)
    if (!isKept)
      throw new StartError(`${id} cannot be replayed: what it carried is not kept, or never had an effect.`)
    await restart(tx, jobs, [id], status)
  })
}

/** Puts all that have failed in line again, the oldest first. Answers how many. */
export async function replayFailed({ db, jobs }: Tools, batch = 200): Promise<number> {
  for (let count = 0; ; ) {
    const replayed = await db.transaction().execute(async (tx) => {
      const ids = await queries.listFailedForUpdate(tx, batch)
      await restart(tx, jobs, ids, 'failed')
      return ids.length
    })
    count += replayed
    if (replayed < batch) return count
  }
}

/** Has one that has failed, and that nobody needs, ignored: the administrators are told of it no more. */
export function ignoreEvent(db: Database, id: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { status } = await getEnded(tx, id)
    if (status === 'processed')
      throw new StartError(`${id} has had its effect: it cannot be ignored any more.`)
    await queries.ignoreEvent(tx, id)
    await note(tx, 'ignore', [id], status, 'ignored')
  })
}

/** Tells the administrators while events have failed: once an hour, whoever looks how often. */
export async function tellOfFailures({ db, jobs }: Tools, now: Date): Promise<number> {
  const failed = await queries.countFailed(db)
  if (failed === 0) return 0
  const hour = now.toISOString().slice(0, 13).replace('T', '-')
  await db
    .transaction()
    .execute((tx) => tellAdministrators(tx, { jobs }, { key: `payments-failed-${hour}`, ...notice(failed) }))
  return failed
}

/** Their job was lost, with a database that was restored say, or could not note how it ended. */
export async function enqueueForgotten({ db, jobs }: Tools, limit = 500): Promise<number> {
  const ids = await queries.listForgotten(db, limit)
  for (const eventId of ids)
    await db
      .transaction()
      .execute((tx) => jobs.enqueue(tx, applyEventJob, { eventId }, { singletonKey: eventId }))
  return ids.length
}

async function getEnded(tx: Database, id: string) {
  const event = await queries.findEventForUpdate(tx, id)
  if (event === null) throw new StartError(`There is no event ${id}.`)
  if (event.status === 'received') throw new StartError(`${id} waits for its effect already.`)
  return event
}

async function restart(tx: Database, jobs: Deps['jobs'], ids: string[], was: EventStatus): Promise<void> {
  await queries.restartEvents(tx, ids)
  await note(tx, 'replay', ids, was, 'received')
  for (const eventId of ids) await jobs.enqueue(tx, applyEventJob, { eventId }, { singletonKey: eventId })
}

async function note(tx: Database, action: string, ids: string[], was: EventStatus, is: EventStatus) {
  const change = { action: `payment_event.${action}`, kind: paymentEvent }
  const [before, after] = [{ status: was }, { status: is }]
  await recordAudits(
    tx,
    operator,
    ids.map((entityId) => ({ ...change, entityId, before, after })),
  )
}

function notice(failed: number): { subject: string; text: string } {
  const what = failed === 1 ? 'Un événement de paiement attend' : `${failed} événements de paiement attendent`
  const text = `Bonjour,

${what} votre attention : leur effet sur les abonnements n’a pas pu être appliqué.

Le tableau de bord indique lesquels, et pourquoi. Une fois la cause écartée, la personne qui exploite le service les relance :

  npm run payments -- replay --failed

ou, pour un événement dont personne n’a besoin :

  npm run payments -- ignore --id evt_…

Ce message revient chaque heure tant qu’il en reste.
`
  return { subject: `${what} votre attention`, text }
}
