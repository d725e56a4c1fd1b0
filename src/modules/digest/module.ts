import { sql } from 'kysely'
import Type from 'typebox'
import { opens, type Role } from '../../platform/access/areas.ts'
import type { Database } from '../../platform/database/connect.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import { deleteRowMail, type ListedMailKind, sendRowMail, unnamed } from '../../platform/mail/row-mails.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { findByUser, type Person, type Personal } from '../../platform/personal.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { isPublicHoliday } from '../../platform/time/public-holidays.ts'
import { type Counts, countAll, waitingIn } from '../dashboard/counts.ts'
import { digestMail } from './mail.ts'
import { deleteOldMails, findMail, insertMails, putDigest, takeDue } from './queries.ts'
import { Digest, DigestBody } from './schema.ts'

/** True from Monday to Friday, except on national public holidays. */
export function isWorkingDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isPublicHoliday('', year, month, date)
}

/** Counts the waiting work in the areas that these roles open; omits zero counts. */
async function findWaiting(
  { reads, config, modules }: Pick<Deps, 'reads' | 'config' | 'modules'>,
  roles: readonly Role[],
): Promise<Counts> {
  const seen = waitingIn(modules).filter(({ area }) => opens(roles, area))
  const counts = await countAll({ reads, config }, seen)
  return Object.fromEntries(Object.entries(counts).filter(([, { count }]) => count > 0))
}

/** Retried for a few hours only: yesterday's digest is useless. */
const sendDigest = defineJob('digest.send', Type.Object({ mailId: Type.String() }), {
  retries: 12,
  backoffSeconds: 60,
  maxBackoffSeconds: 3_600,
  timeoutSeconds: 180,
})

/** A lost digest does no harm, and is not resent. */
const digestMails: ListedMailKind = {
  name: 'digest',
  table: 'digest_mails',
  queue: sendDigest.name,
  ...unnamed,
  named: 'digest-',
  title: { fr: 'Récapitulatif quotidien', en: 'Daily digest' },
  entity: 'user',
  area: 'users',
  recordId: sql`m.user_id`,
  recordName: sql`(select u.nom from users u where u.id = m.user_id)`,
  recipient: sql`(select u.email from users u where u.id = m.user_id)`,
}

/** Sends a digest of the work that waits now, if the recipient should still get it. */
export function sendHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config' | 'clock' | 'modules'>): Handler {
  const { db, mailer, config, clock } = deps
  return handle(sendDigest, async ({ mailId }, context) => {
    const found = await findMail(db, mailId)
    const address = found === null ? null : parseMailAddress(found.address)
    if (found === null || address === null || found.day !== todayInParis(clock()))
      return deleteRowMail(db, digestMails, mailId)
    const waiting = await findWaiting({ ...deps, reads: db }, found.roles)
    if (Object.keys(waiting).length === 0) return deleteRowMail(db, digestMails, mailId)
    const mail = digestMail(found, waiting, { to: address, from: config.mail.from, url: config.publicUrl })
    await sendRowMail({ db, mailer }, digestMails, mailId, mail, context)
  })
}

const queue = defineJob('digest.queue', Type.Object({}))

function queueHandler(deps: Pick<Deps, 'db' | 'jobs' | 'clock' | 'log'>): Handler {
  return handle(queue, async (_payload, { signal }) => {
    const queued = await queueDigests(deps, deps.clock(), signal)
    if (queued > 0) deps.log.info({ queued }, 'digests queued')
  })
}

/** Runs several times in case the service was down at 7:30; each digest is enqueued at most once a day. */
const digestSchedule: Schedule = schedule(queue, '30 7-10 * * 1-5', {})

/**
 * Enqueues the digests of a day. States of the digest of one colleague and day:
 *
 *   due → queued, with its mail and job, in one transaction
 *       → sent, or deleted: nothing waits, or the colleague should no longer get it
 *
 * The digest stores the day, and the mail is unique by user and day, so repeated or concurrent jobs enqueue
 * it once. The mail has the states of all row mails, so a crash during the handover does not send it twice.
 */
export async function queueDigests(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  now: Date,
  signal: AbortSignal,
  batch = 100,
): Promise<number> {
  const day = todayInParis(now)
  if (!isWorkingDay(day)) return 0
  await deleteOldMails(db, day)
  return inBatches(batch, signal, () =>
    db.transaction().execute(async (tx: Database) => {
      const users = await takeDue(tx, day, batch)
      for (const mailId of await insertMails(tx, day, users)) await jobs.enqueue(tx, sendDigest, { mailId })
      return users.length
    }),
  )
}

/** The person's digest setting and the days of the last digests; an erasure deletes both. */
export const digestOfPerson: Personal = {
  name: 'digest',
  title: { en: 'Daily mails', fr: 'Courriels quotidiens' },
  erasure: { en: 'Deleted.', fr: 'Supprimés.' },
  kind: null,
  find: findByUser('digests', { id: 'user_id' }),
  read: async function* (db, { userIds }) {
    const { rows } = await sql<object>`
      select d.daily, d.updated_at, array(
        select to_char(m.day, 'YYYY-MM-DD') from digest_mails m where m.user_id = d.user_id order by m.day) as days
      from digests d where d.user_id = any(${userIds}::uuid[])`.execute(db)
    yield* rows
  },
  erase: eraseDigests,
}

/** Deletes digests first: enqueuing a mail locks its digest, so a concurrent mail is deleted too. */
async function eraseDigests(tx: Database, { userIds }: Person): Promise<string[]> {
  const digests = await sql<{ id: string }>`
    delete from digests where user_id = any(${userIds}::uuid[]) returning user_id as id`.execute(tx)
  const mails = await sql<{ id: string }>`
    delete from digest_mails where user_id = any(${userIds}::uuid[]) returning id`.execute(tx)
  return [...digests.rows, ...mails.rows].map(({ id }) => id)
}

function digestRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.post(
    '/me/digest',
    {
      config: { needs: 'own.change' },
      schema: {
        operationId: 'setDigest',
        summary: 'Choose whether to get one mail a working day with what waits; `GET /me` shows the choice',
        body: DigestBody,
        response: { 200: record(Digest) },
      },
    },
    async ({ body: { daily }, caller }) => ({ data: await putDigest(db, caller.user.id, daily) }),
  )
}

export const digest = {
  name: 'digest',
  about: 'One mail a working day with what waits',
  routes: { bearer: digestRoutes },
  jobs: { handlers: (deps) => [queueHandler(deps), sendHandler(deps)], schedules: [digestSchedule] },
  office: { mails: [digestMails] },
  personal: [digestOfPerson],
} satisfies Module
