import { sql } from 'kysely'
import { lockDigests, newSecret } from '../../../platform/access/sealed-addresses.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid, raise } from '../../../platform/errors.ts'
import { parseTypedAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Deps } from '../../../platform/module.ts'
import type { Contents, ReporterAddresses } from './addresses.ts'
import { enqueueMail } from './mailing.ts'
import type { ReportBody } from './schema.ts'

/**
 * Who gives an address waits for the outcome of the case, once however often they report:
 *
 *   reported ── receipt, with a link that confirms the address ──► outcome ──► erased some months later
 *
 * Anybody may type the address of a stranger. So an address gets a receipt an hour, and three a day. A case without a receipt has
 * an outcome only for an address that was confirmed. What is answered is the same for every address.
 */
const receiptsPerDay = 3

/** Who wants to know what becomes of a report. */
export type Follower = Pick<Contents, 'address' | 'name'>

/** Reads who wants to know what becomes of a report; null without an address, 422 if it is none. */
export function readFollower({ email, name }: Pick<ReportBody, 'email' | 'name'>): Follower | null {
  if (!email?.trim()) return null
  const address = parseTypedAddress(email.trim()) ?? raise(invalid('email', notAnAddress))
  return { address, name: name?.trim() || null }
}

const notAnAddress = { en: 'must be a valid e-mail address', fr: 'doit être une adresse e-mail valide' }

type Tools = { jobs: Pick<Deps['jobs'], 'enqueue'>; addresses: ReporterAddresses }
type Report = { id: string; case_id: string }

/** Stores who waits for the outcome of the case of a report, and enqueues the receipt. Again, it changes nothing. */
export async function followCase(
  tx: Database,
  { jobs, addresses }: Tools,
  report: Report,
  follower: Follower,
): Promise<void> {
  const reporterId = await findOrInsertReporter(tx, addresses, follower)
  const { numAffectedRows } = await sql`
    insert into case_reporters (case_id, reporter_id, report_id)
    values (${report.case_id}, ${reporterId}, ${report.id}) on conflict do nothing`.execute(tx)
  if (numAffectedRows === 0n) return
  const { rows } = await sql<{ id: string }>`
    insert into report_mails (case_id, reporter_id, kind)
    select ${report.case_id}, ${reporterId}, 'receipt'
    from (
      select count(*) as in_day, count(*) filter (where created_at > now() - interval '1 hour') as in_hour
      from report_mails
      where reporter_id = ${reporterId} and kind = 'receipt' and created_at > now() - interval '1 day') sent
    where in_hour = 0 and in_day < ${receiptsPerDay}
    returning id`.execute(tx)
  if (rows.length === 0) return
  await sql`
    update case_reporters set is_told = true where case_id = ${report.case_id} and reporter_id = ${reporterId}`.execute(
    tx,
  )
  for (const { id } of rows) await enqueueMail(tx, jobs, id)
}

/** Locks the address until the transaction ends, and returns its row; inserts one if there is none. Stores another name. */
async function findOrInsertReporter(
  tx: Database,
  addresses: ReporterAddresses,
  { address, name }: Follower,
): Promise<string> {
  const digests = addresses.digests(address)
  await lockDigests(tx, digests)
  const { rows } = await sql<{ id: string; address: Buffer }>`
    select id, address from reporters where address_digest = any(${digests}::bytea[]) for no key update`.execute(
    tx,
  )
  const [known] = rows
  if (known === undefined) {
    const id = uuidv7()
    const sealed = addresses.seal(id, { address, secret: newSecret(), name })
    await sql`
      insert into reporters (id, address, address_digest, key_id)
      values (${id}, ${sealed.address}, ${sealed.address_digest}, ${sealed.key_id})`.execute(tx)
    return id
  }
  const contents = addresses.open(known.id, known.address)
  if (name === null || contents === null || contents.name === name) return known.id
  const sealed = addresses.seal(known.id, { ...contents, name })
  await sql`
    update reporters set address = ${sealed.address}, address_digest = ${sealed.address_digest}, key_id = ${sealed.key_id}
    where id = ${known.id}`.execute(tx)
  return known.id
}
