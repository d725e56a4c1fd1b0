import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import { giveUpMails } from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { afterId } from '../../platform/personal.ts'
import { type Addresses, addressesOf, type Contents } from './addresses.ts'
import { confirmationMails } from './confirming.ts'
import { deleteNeverProven } from './proving.ts'
import { rekeyPushKeys } from './push-keys.ts'
import { deleteUnconfirmed } from './subscribing.ts'

type Row = { id: string; address: Buffer }

/**
 * Encrypts the addresses of former keys again, in batches. Returns how many it did, and how many no key opens: SESSION_KEY
 * lacks theirs.
 */
export async function rekey(db: Database, addresses: Addresses, signal: AbortSignal, batch = 500) {
  const counts = { done: 0, unreadable: 0 }
  for (let last: Row | null = null; ; ) {
    signal.throwIfAborted()
    const rows: Row[] = await db.transaction().execute(async (tx) => {
      const found = await sql<Row>`
        select id, address from resident_subscribers where key_id <> ${addresses.keyId} and id > ${afterId(last)}
        order by id limit ${batch} for update skip locked`.execute(unprepared(tx))
      for (const { id, address } of found.rows) {
        const contents = addresses.open(id, address)
        if (contents === null) counts.unreadable += 1
        else {
          await rekeyOne(tx, addresses, id, contents)
          counts.done += 1
        }
      }
      return found.rows
    })
    if (rows.length < batch) return counts
    last = rows.at(-1) ?? null
  }
}

async function rekeyOne(tx: Database, addresses: Addresses, id: string, contents: Contents): Promise<void> {
  const sealed = addresses.seal(id, contents)
  const { rows } = await sql<{ id: string }>`
    select id from resident_subscribers where channel = ${contents.channel} and address_digest = ${sealed.address_digest}
      and id <> ${id} for no key update`.execute(tx)
  const [other] = rows
  if (other === undefined) {
    await sql`
      update resident_subscribers set address = ${sealed.address}, address_digest = ${sealed.address_digest},
        key_id = ${sealed.key_id} where id = ${id}`.execute(tx)
    return
  }
  // The address came back through an instance with the new key, which an instance with the old key alone could not find.
  await sql`
    insert into resident_choices (subscriber_id, commune_id, alertes, collectes_hour, collectes_secteur, actualites,
      asked_at, confirmed_at)
    select ${other.id}, commune_id, alertes, collectes_hour, collectes_secteur, actualites, asked_at, confirmed_at
    from resident_choices where subscriber_id = ${id} on conflict do nothing`.execute(tx)
  await sql`
    insert into resident_group_choices (subscriber_id, group_id, alertes, actualites, asked_at, confirmed_at)
    select ${other.id}, group_id, alertes, actualites, asked_at, confirmed_at
    from resident_group_choices where subscriber_id = ${id} on conflict do nothing`.execute(tx)
  await sql`delete from resident_subscribers where id = ${id}`.execute(tx)
}

const sweep = defineJob('subscribers.sweep', Type.Object({}))

/** Deletes what nobody confirmed or proved, and encrypts addresses and push keys of a former SESSION_KEY again. */
export function sweepHandler({ db, config, log }: Deps): Handler {
  const addresses = addressesOf(config.sessionKeys)
  return handle(sweep, async (_payload, { signal }) => {
    const unconfirmed = await inBatches(500, signal, (batch) => deleteUnconfirmed(db, batch))
    const deleted = unconfirmed + (await inBatches(500, signal, (batch) => deleteNeverProven(db, batch)))
    await giveUpMails(db, confirmationMails)
    await rekeyPushKeys(db, config.sessionKeys)
    const { done, unreadable } = await rekey(db, addresses, signal)
    if (deleted + done > 0) log.info({ deleted, rekeyed: done }, 'subscribers swept')
    if (unreadable > 0)
      log.warn({ count: unreadable }, 'SESSION_KEY does not decrypt the addresses of some subscribers')
  })
}

export const sweepSchedule: Schedule = schedule(sweep, '17 * * * *', {})
