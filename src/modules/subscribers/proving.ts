import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import { deletionOf } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'
import { addressesOf } from './addresses.ts'
import { createPushSender, type PushMessage, pushNoter } from './broadcasts/push-sender.ts'

/** Ten attempts, over about four hours. */
export const proof = defineJob('subscribers.prove-browser', Type.Object({ subscriberId: Type.String() }), {
  retries: 9,
  backoffSeconds: 30,
  maxBackoffSeconds: 14_400,
  timeoutSeconds: 60,
  concurrency: 4,
})

/** The worker of the site shows nothing for it. A device that is off need not get it. */
const silent: PushMessage = { content: { silent: true }, tag: 'preuve', urgency: 'low', ttlSeconds: 60 }

/**
 * Sends a browser that has subscribed its first message, which shows nothing. Once its push service has accepted it, the browser gets
 * messages and counts. One whose push service refuses it, or does not accept it in ten attempts, is deleted.
 */
export function provingHandler(
  tools: Pick<Deps, 'db' | 'config' | 'clock' | 'log'>,
  push = createPushSender(tools),
): Handler {
  const { db, config } = tools
  const addresses = addressesOf(config.sessionKeys)
  const note = pushNoter(tools)
  return handle(proof, async ({ subscriberId: id }, { signal, isLast }) => {
    const { rows } = await sql<{ address: Buffer }>`
      select address from resident_subscribers where id = ${id} and not is_proven`.execute(db)
    const [row] = rows
    if (row === undefined) return
    const contents = addresses.open(id, row.address)
    if (contents === null) throw new Error('SESSION_KEY does not decrypt the address of a subscriber')
    signal.throwIfAborted()
    const result = await push(contents, silent)
    await note([result])
    const { outcome, error } = result
    if (outcome === 'sent') return markProven(db, id)
    if (isLast || outcome === 'refused' || outcome === 'gone') return deleteUnproven(db, id)
    throw new Error(`not accepted: ${error ?? 'the push service asks to wait'}`)
  })
}

async function markProven(db: Database, id: string): Promise<void> {
  await sql`
    update resident_subscribers set is_proven = true, last_success_at = now() where id = ${id}`.execute(db)
}

async function deleteUnproven(db: Database, id: string): Promise<void> {
  await sql`delete from resident_subscribers where id = ${id} and not is_proven`.execute(db)
}

/** Deletes browsers whose job to prove them is lost. */
export const deleteNeverProven = deletionOf(
  'resident_subscribers',
  sql`not is_proven and created_at < now() - interval '48 hours'`,
)
