import { sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import {
  deleteRowMail,
  type ListedMailKind,
  mailHoldMs,
  mailTries,
  sendRowMail,
} from '../../platform/mail/row-mails.ts'
import { spaceAddress } from '../../platform/mail/space.ts'
import type { Deps } from '../../platform/module.ts'
import { authorMail, type MailReason, type MailRow } from './notify.mail.ts'

type NewMail = { id: string; publication_id: string }

/** Inserts the mails to authors with a verified address, except the caller. Returns the ids of the mails. */
async function insertMails(
  tx: Database,
  mails: NewMail[],
  about: { kind: MailReason; decisionId: string | null; reason: string | null; callerId: string },
): Promise<string[]> {
  const { kind, decisionId, reason, callerId } = about
  const { rows } = await sql<{ id: string }>`
    insert into publication_mails (id, publication_id, decision_id, kind, reason)
    select m.id, m.publication_id, ${decisionId}::uuid, ${kind}, ${reason}
    from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as m (id uuid, publication_id uuid)
    join publications p on p.id = m.publication_id
    join users u on u.id = p.created_by
    where u.email_verified and u.actif and u.id <> ${callerId}
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Inserts mails about rejections of the last hour that count again, because a later decision was undone, and whose mail
 * was deleted while they did not count. Returns the ids of the mails.
 */
async function insertMissingMails(tx: Database, mails: NewMail[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into publication_mails (id, publication_id, decision_id, kind)
    select m.id, p.id, rejecting.id, 'rejected'
    from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as m (id uuid, publication_id uuid)
    join publications p on p.id = m.publication_id
    join users u on u.id = p.created_by
    cross join lateral (
      select d.id, d.decided_by, d.decided_at from decision_items i join decisions d on d.id = i.decision_id
      where i.record_id = p.id and i.undone_at is null and i.before->>'moderation_status' <> 'rejected'
      order by i.seq desc limit 1) rejecting
    where p.moderation_status = 'rejected' and p.deleted_at is null
      and u.email_verified and u.actif and u.id <> rejecting.decided_by
      and rejecting.decided_at > now() - interval '1 hour'
      and not exists (
        select from publication_mails made where made.publication_id = p.id and made.decision_id = rejecting.id)
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * The mails about publications that still exist whose author can get mail. A rejection counts until it is reversed or
 * the publication is rejected anew, with a mail of its own.
 */
const neededMail = sql`
  select m.id, m.publication_id, o.acteur_id, m.kind, m.reason, p.title, p.moderation_reason, u.nom, u.email, u.langue
  from publication_mails m join publications p on p.id = m.publication_id join users u on u.id = p.created_by
  left join actor_users o on o.acteur_id = p.acteur_id and o.user_id = u.id
  where u.email_verified and u.actif and p.deleted_at is null
    and (m.kind <> 'rejected' or p.moderation_status = 'rejected' and not exists (
      select from publication_mails newer
      where newer.publication_id = m.publication_id and newer.kind = m.kind and newer.id > m.id))`

/** Returns a mail with its recipient; null if it is no longer needed. */
export async function findMail(db: Database, id: string): Promise<MailRow | null> {
  const { rows } = await sql<MailRow>`
    select id, publication_id, acteur_id, kind, title, case when kind = 'corrected' then reason else moderation_reason end as reason, nom,
      email as address, langue
    from (${neededMail}) needed where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Deletes the mails of a decision on these publications that are not handed to the mail server yet. */
export async function dropMails(tx: Database, decisionId: string, publicationIds: string[]): Promise<void> {
  await sql`
    delete from publication_mails
    where decision_id = ${decisionId} and publication_id = any(${publicationIds}::uuid[])
      and email_status in ('queued', 'failed')`.execute(tx)
}

/** Sends an author the mail about a rejection or correction. */
const mailAuthor = defineJob('publications.tell-author', Type.Object({ mailId: Type.String() }), mailTries)

export const authorMails: ListedMailKind = {
  name: 'publication_decision',
  table: 'publication_mails',
  queue: mailAuthor.name,
  title: { fr: 'Rejet ou correction d’une publication', en: 'Rejection or correction of a publication' },
  entity: 'publication',
  area: 'publications',
  holdMs: mailHoldMs,
  recordId: sql`m.publication_id`,
  recordName: sql`(select p.title from publications p where p.id = m.publication_id)`,
  recipient: sql`(
    select u.email from publications p join users u on u.id = p.created_by where p.id = m.publication_id)`,
  isNeeded: sql`exists (select from (${neededMail}) needed where needed.id = m.id)`,
  enqueue: (tx, jobs, mailId) => jobs.enqueue(tx, mailAuthor, { mailId }),
}

type MailRequest = {
  kind: MailReason
  decisionId: string | null
  publicationIds: string[]
  reason?: string | null
}

/** Enqueues mails to the authors of these publications, with a delay in which an undo can delete them. */
export async function queueMails(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  { user }: SignedIn,
  { kind, decisionId, publicationIds, reason = null }: MailRequest,
): Promise<void> {
  if (publicationIds.length === 0) return
  const about = { kind, decisionId, reason, callerId: user.id }
  await enqueueHeld(tx, jobs, await insertMails(tx, newMails(publicationIds), about))
}

/** Enqueues the mails about rejections that count again after an undo, if they have none. */
export async function queueMissingMails(tx: Database, jobs: Jobs, publicationIds: string[]): Promise<void> {
  await enqueueHeld(tx, jobs, await insertMissingMails(tx, newMails(publicationIds)))
}

const newMails = (publicationIds: string[]) =>
  publicationIds.map((publication_id) => ({ id: uuidv7(), publication_id }))

async function enqueueHeld(tx: Database, jobs: Jobs, mailIds: string[]): Promise<void> {
  const startAfter = new Date(Date.now() + mailHoldMs)
  for (const mailId of mailIds) await jobs.enqueue(tx, mailAuthor, { mailId }, { startAfter })
}

/** Returns the address of the publication: for members in the space of its acteur, else in the back-office. */
export function pageOf(
  config: Pick<Config, 'backoffice' | 'publicUrl'>,
  { publication_id, acteur_id }: MailRow,
): string | null {
  if (acteur_id !== null) return spaceAddress(config, acteur_id, `publications/${publication_id}`)
  return config.backoffice ? `${config.publicUrl}/backoffice/publications/${publication_id}` : null
}

export function mailAuthorHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(mailAuthor, async ({ mailId }, context) => {
    const found = await findMail(db, mailId)
    const address = found === null ? null : parseMailAddress(found.address)
    if (found === null || address === null) return deleteRowMail(db, authorMails, mailId)
    const mail = authorMail(found, address, { from: config.mail.from, page: pageOf(config, found) })
    await sendRowMail({ db, mailer }, authorMails, mailId, mail, context)
  })
}
