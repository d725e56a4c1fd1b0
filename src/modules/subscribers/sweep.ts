import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import { giveUpMails } from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { addressesOf } from './addresses.ts'
import { confirmationMails } from './confirming.ts'
import { rekeyPushKeys } from './push-keys.ts'
import { rekey } from './rekeying.ts'
import { deleteUnconfirmed } from './subscribing.ts'

const sweep = defineJob('subscribers.sweep', Type.Object({}))

/** Deletes what nobody confirmed, and encrypts addresses and push keys of a former SESSION_KEY again. */
export function sweepHandler({ db, config, log }: Deps): Handler {
  const addresses = addressesOf(config.sessionKeys)
  return handle(sweep, async (_payload, { signal }) => {
    const deleted = await inBatches(500, signal, (batch) => deleteUnconfirmed(db, batch))
    await giveUpMails(db, confirmationMails)
    await rekeyPushKeys(db, config.sessionKeys)
    const { done, unreadable } = await rekey(db, addresses, signal)
    if (deleted + done > 0) log.info({ deleted, rekeyed: done }, 'subscribers swept')
    if (unreadable > 0)
      log.warn({ count: unreadable }, 'SESSION_KEY does not decrypt the addresses of some subscribers')
  })
}

export const sweepSchedule: Schedule = schedule(sweep, '17 * * * *', {})
