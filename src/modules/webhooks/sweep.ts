import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { deletionOf, inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'
import { recordScheduled } from './queries.ts'
import { rekeySecrets } from './secrets.ts'

const sweep = defineJob('webhooks.sweep', Type.Object({}))

const deleteOld = deletionOf('webhook_deliveries', sql`ended_at < now() - interval '30 days'`, {
  oldest: 'ended_at',
})

/** An acteur that was deleted has had three days to tell that its records are gone. Those of a merged one move. */
const deleteOfDeleted = deletionOf(
  'webhooks',
  sql`exists (select from acteurs a where a.id = webhooks.acteur_id and a.merged_into is null
    and a.deleted_at < now() - interval '3 days')`,
)

/** Gives up what has waited for three days for a webhook that somebody disabled. */
async function giveUpDisabled(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'failed', problem = 'disabled', ended_at = now()
    where id = any(array(
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where w.disabled_at is not null and d.state = 'waiting' and d.at < now() - interval '3 days'
      limit ${limit} for update of d skip locked))`.execute(unprepared(db))
  return Number(numAffectedRows)
}

/** Encrypts again under the present SESSION_KEY, ends what nobody waits for, and deletes what is old. */
export function sweepHandler({ db, config, log }: Deps): Handler {
  return handle(sweep, async (_payload, { signal }) => {
    const unreadable = await rekeySecrets(db, config.sessionKeys)
    if (unreadable > 0)
      log.warn({ count: unreadable }, 'SESSION_KEY does not decrypt the secrets of some webhooks')
    await recordScheduled(db)
    await inBatches(1_000, signal, (batch) => giveUpDisabled(db, batch))
    await inBatches(1_000, signal, (batch) => deleteOld(db, batch))
    await inBatches(100, signal, (batch) => deleteOfDeleted(db, batch))
  })
}

export const sweepSchedule: Schedule = schedule(sweep, '27 * * * *', {})
