import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Config } from '../../platform/config/config.ts'
import { jsonTime } from '../../platform/database/columns.ts'
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
import { holdsOfPublication } from '../grounds/statements.ts'
import { authorMail, type MailReason, type MailRow } from './notify.mail.ts'

/**
 * Who is told of publication `p`, as `u`: its author, and of what restricts it the owners of its acteur too; by a verified
 * address.
 */
const isTold = (withOwners: RawBuilder<boolean>) => sql<boolean>`(
  u.email_verified and u.actif and (u.id = p.created_by or ${withOwners} and exists (
    select from actor_users owner
    where owner.acteur_id = p.acteur_id and owner.user_id = u.id and owner.role = 'owner')))`

/** Candidates, found by index: the author and the members. */
const candidates = sql`lateral (
    select p.created_by as user_id where p.created_by is not null
    union select o.user_id from actor_users o where o.acteur_id = p.acteur_id) candidate
  join users u on u.id = candidate.user_id`

type NewMail = { publication_id: string; decision_id: string | null; kind: MailReason; user_id: string }

/** Finds who is told of a decision or correction, except the caller. */
async function listRecipients(
  tx: Database,
  publicationIds: string[],
  { kind, decisionId, callerId }: { kind: MailReason; decisionId: string | null; callerId: string },
): Promise<NewMail[]> {
  const { rows } = await sql<NewMail>`
    select p.id as publication_id, ${decisionId}::uuid as decision_id, ${kind}::text as kind, u.id as user_id
    from publications p cross join ${candidates}
    where p.id = any(${publicationIds}::uuid[]) and u.id <> ${callerId}
      and ${isTold(sql`${kind !== 'corrected'}::boolean`)}
    order by p.id, u.id`.execute(tx)
  return rows
}

/**
 * Finds who is to be told of decisions of the last hour that count again, because a later decision was undone, and whose
 * mail was deleted while they did not count.
 */
async function listMissing(tx: Database, publicationIds: string[]): Promise<NewMail[]> {
  const { rows } = await sql<NewMail>`
    select p.id as publication_id, restricting.decision_id, restricting.restriction as kind, u.id as user_id
    from publications p
    cross join lateral (
      select s.decision_id, s.restriction, s.decided_by, d.decided_at
      from decision_items i join decisions d on d.id = i.decision_id
      join statements s on s.decision_id = i.decision_id and s.record_id = p.id
      where i.record_id = p.id and i.undone_at is null and ${holdsOfPublication}
      order by i.seq desc limit 1) restricting
    cross join ${candidates}
    where p.id = any(${publicationIds}::uuid[]) and ${isTold(sql`true`)} and u.id <> restricting.decided_by
      and restricting.decided_at > now() - interval '1 hour'
      and not exists (
        select from publication_mails made
        where made.publication_id = p.id and made.decision_id = restricting.decision_id
          and coalesce(made.user_id, p.created_by) = u.id)
    order by p.id, u.id`.execute(tx)
  return rows
}

/**
 * The mails about publications whose recipient can still get them. A restriction counts until it is reversed or decided
 * anew, with a mail of its own.
 */
const neededMail = sql`
  select m.id, m.publication_id, o.acteur_id, m.kind, m.reason, p.title, p.moderation_reason, u.nom, u.email, u.langue,
    case when s.id is not null then json_build_object('ground', s.ground, 'reason', s.reason, 'by_report', s.by_report,
      'by_machine', s.by_machine, 'decided_at', ${jsonTime(sql`s.decided_at`)}) end as statement
  from publication_mails m join publications p on p.id = m.publication_id
  join users u on u.id = coalesce(m.user_id, p.created_by)
  left join statements s on s.decision_id = m.decision_id and s.record_id = p.id
  left join actor_users o on o.acteur_id = p.acteur_id and o.user_id = u.id
  where ${isTold(sql`m.kind <> 'corrected'`)} and case
    when m.kind = 'corrected' then p.deleted_at is null
    -- Decided by the version before, which made no statements.
    when s.id is null then p.moderation_status = 'rejected' and p.deleted_at is null
    else ${holdsOfPublication} end
    and not exists (
      select from publication_mails newer
      where newer.publication_id = m.publication_id and newer.kind = m.kind and newer.id > m.id
        and m.kind <> 'corrected' and coalesce(newer.user_id, p.created_by) = u.id)`

/** Returns a mail with its recipient; null if it is no longer needed. */
export async function findMail(db: Database, id: string): Promise<MailRow | null> {
  const { rows } = await sql<MailRow>`
    select id, publication_id, acteur_id, kind, title, case when kind = 'corrected' then reason else moderation_reason end as reason, nom,
      email as address, langue, statement
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

/** Sends the mail about a decision or correction. */
const mailAuthor = defineJob('publications.tell-author', Type.Object({ mailId: Type.String() }), mailTries)

export const authorMails: ListedMailKind = {
  name: 'publication_decision',
  table: 'publication_mails',
  queue: mailAuthor.name,
  title: { fr: 'Décision ou correction d’une publication', en: 'Decision on a publication, or correction' },
  entity: 'publication',
  area: 'publications',
  holdMs: mailHoldMs,
  recordId: sql`m.publication_id`,
  recordName: sql`(select p.title from publications p where p.id = m.publication_id)`,
  recipient: sql`(
    select u.email from publications p join users u on u.id = coalesce(m.user_id, p.created_by)
    where p.id = m.publication_id)`,
  isNeeded: sql`exists (select from (${neededMail}) needed where needed.id = m.id)`,
  enqueue: (tx, jobs, mailId) => jobs.enqueue(tx, mailAuthor, { mailId }),
}

type MailRequest = {
  kind: MailReason
  decisionId: string | null
  publicationIds: string[]
  reason?: string | null
}

/** Enqueues mails about these publications, with a delay in which an undo can delete them. */
export async function queueMails(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  { user }: SignedIn,
  { kind, decisionId, publicationIds, reason = null }: MailRequest,
): Promise<void> {
  if (publicationIds.length === 0) return
  const about = { kind, decisionId, callerId: user.id }
  await enqueueHeld(tx, jobs, await listRecipients(tx, publicationIds, about), reason)
}

/** Enqueues the mails about decisions that count again after an undo, if they have none. */
export async function queueMissingMails(tx: Database, jobs: Jobs, publicationIds: string[]): Promise<void> {
  await enqueueHeld(tx, jobs, await listMissing(tx, publicationIds), null)
}

async function enqueueHeld(tx: Database, jobs: Jobs, mails: NewMail[], reason: string | null): Promise<void> {
  if (mails.length === 0) return
  const rows = mails.map((mail) => ({ id: uuidv7(), ...mail }))
  await sql`
    insert into publication_mails (id, publication_id, decision_id, kind, user_id, reason)
    select m.*, ${reason} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (
      id uuid, publication_id uuid, decision_id uuid, kind text, user_id uuid)`.execute(tx)
  const startAfter = new Date(Date.now() + mailHoldMs)
  for (const { id: mailId } of rows) await jobs.enqueue(tx, mailAuthor, { mailId }, { startAfter })
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
