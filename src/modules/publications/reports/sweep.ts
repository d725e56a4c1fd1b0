import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { deletionAfterMonths, deletionOf, inBatches } from '../../../platform/jobs/sweeps.ts'
import { giveUpMails } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { afterId } from '../../../platform/personal.ts'
import { type ReporterAddresses, reporterAddresses } from './addresses.ts'
import { reporterMails } from './mailing.ts'

/**
 * Deletes who waited for the outcome of cases that ended so many months ago, unless they wait for the answer to a complaint,
 * and addresses that wait for nothing.
 */
export async function deleteOldReporters(db: Database, months: number, batch: number): Promise<number> {
  const isOld = sql`case_id in (
    select id from report_cases where ended_at < now() - make_interval(months => ${months}::int))
    and not exists (select from complaints c
      where c.case_id = case_reporters.case_id and c.reporter_id = case_reporters.reporter_id
        and coalesce(c.decided_at > now() - interval '7 days', true))`
  const deleted = await deletionOf('case_reporters', isOld)(db, batch)
  return deleted + (await deleteIdleReporters(db, batch))
}

const deleteIdleReporters = deletionOf(
  'reporters',
  // A report that is being stored has its address first.
  sql`not exists (select from case_reporters f where f.reporter_id = reporters.id) and created_at < now() - interval '1 hour'`,
)

const deleteReports = deletionAfterMonths('publication_reports', 'closed_at')

/** Deletes closed reports, and cases without any. */
export async function deleteClosedReports(db: Database, months: number, batch: number): Promise<number> {
  const deleted = await deleteReports(db, months, batch)
  const isEmpty = sql`ended_at < now() - make_interval(months => ${months}::int)
    and not exists (select from publication_reports r where r.case_id = report_cases.id)`
  return deleted + (await deletionOf('report_cases', isEmpty, { oldest: 'ended_at' })(db, batch))
}

type Row = { id: string; address: Buffer }

/**
 * Encrypts the addresses of former keys again, in batches. Returns how many it did, and how many no key opens: SESSION_KEY
 * lacks theirs.
 */
export async function rekeyReporters(
  db: Database,
  addresses: ReporterAddresses,
  signal: AbortSignal,
  batch = 500,
) {
  const counts = { done: 0, unreadable: 0 }
  for (let last: Row | null = null; ; ) {
    signal.throwIfAborted()
    const after = afterId(last)
    const rows = await db.transaction().execute(async (tx) => {
      const found = await sql<Row>`
        select id, address from reporters where key_id <> ${addresses.keyId} and id > ${after}
        order by id limit ${batch} for update skip locked`.execute(unprepared(tx))
      for (const row of found.rows) counts[await rekeyOne(tx, addresses, row)] += 1
      return found.rows
    })
    if (rows.length < batch) return counts
    last = rows.at(-1) ?? null
  }
}

async function rekeyOne(tx: Database, addresses: ReporterAddresses, { id, address }: Row) {
  const contents = addresses.open(id, address)
  if (contents === null) return 'unreadable'
  const sealed = addresses.seal(id, contents)
  const { rows } = await sql<{ id: string }>`
    select id from reporters where address_digest = ${sealed.address_digest} and id <> ${id}
    for no key update`.execute(tx)
  const [other] = rows
  if (other === undefined) {
    await sql`
      update reporters set address = ${sealed.address}, address_digest = ${sealed.address_digest}, key_id = ${sealed.key_id}
      where id = ${id}`.execute(tx)
    return 'done'
  }
  // The address came back through an instance with the new key, which an instance with the old key alone could not find.
  await sql`
    update case_reporters f set reporter_id = ${other.id} where reporter_id = ${id} and not exists (
      select from case_reporters o where o.case_id = f.case_id and o.reporter_id = ${other.id})`.execute(tx)
  await sql`
    update reporters r set confirmed_at = coalesce(r.confirmed_at, former.confirmed_at) from reporters former
    where r.id = ${other.id} and former.id = ${id}`.execute(tx)
  await sql`delete from reporters where id = ${id}`.execute(tx)
  return 'done'
}

const sweep = defineJob('publications.sweep-reporters', Type.Object({}))

/** Gives up mails whose worker died, and encrypts the addresses of a former SESSION_KEY again. */
export function sweepReportersHandler({ db, config, log }: Deps): Handler {
  const addresses = reporterAddresses(config.sessionKeys)
  return handle(sweep, async (_payload, { signal }) => {
    await giveUpMails(db, reporterMails)
    await inBatches(500, signal, (batch) => deleteIdleReporters(db, batch))
    const { done, unreadable } = await rekeyReporters(db, addresses, signal)
    if (done > 0) log.info({ rekeyed: done }, 'reporters swept')
    if (unreadable > 0)
      log.warn({ count: unreadable }, 'SESSION_KEY does not decrypt the addresses of some reporters')
  })
}

export const sweepReportersSchedule: Schedule = schedule(sweep, '37 * * * *', {})
