import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'

export type MailReason = 'rejected' | 'corrected'

type NewMail = { id: string; publication_id: string }

/** Inserts the mails to authors with a verified address, except the caller. Returns the ids of the mails. */
export async function insertMails(
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
export async function insertMissingMails(tx: Database, mails: NewMail[]): Promise<string[]> {
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

export type MailRow = {
  id: string
  publication_id: string
  kind: MailReason
  title: string
  reason: string | null
  nom: string | null
  address: string
  langue: 'fr' | 'en'
}

/**
 * The mails about publications that still exist whose author can get mail. A rejection counts until it is reversed or
 * the publication is rejected anew, with a mail of its own.
 */
export const neededMail = sql`
  select m.id, m.publication_id, m.kind, m.reason, p.title, p.moderation_reason, u.nom, u.email, u.langue
  from publication_mails m join publications p on p.id = m.publication_id join users u on u.id = p.created_by
  where u.email_verified and u.actif and p.deleted_at is null
    and (m.kind <> 'rejected' or p.moderation_status = 'rejected' and not exists (
      select from publication_mails newer
      where newer.publication_id = m.publication_id and newer.kind = m.kind and newer.id > m.id))`

/** Returns a mail with its recipient; null if it is no longer needed. */
export async function findMail(db: Database, id: string): Promise<MailRow | null> {
  const { rows } = await sql<MailRow>`
    select id, publication_id, kind, title, case when kind = 'corrected' then reason else moderation_reason end as reason, nom,
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
