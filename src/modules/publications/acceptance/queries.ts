import { sql } from 'kysely'
import { jsonTime } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { visible } from '../visibility.ts'

/** Condition: publication `p` is accepted, which nothing has taken back. */
const isAccepted = sql<boolean>`(p.moderation_status in ('approved', 'published') and p.valide and p.deleted_at is null)`

/** Condition: user `u` wants these mails, and has a verified address. */
const isToldTo = sql<boolean>`(u.acceptance_mails and u.email_verified and u.actif)`

/** Publications that one mail names. */
const maxNamed = 20

/**
 * Inserts a mail for each author of these publications, whose rows are locked, except the caller; none about what an author
 * was told of before. Returns their ids.
 */
export async function insertMails(
  tx: Database,
  publicationIds: string[],
  callerId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with told as (
      select p.id, p.created_by as user_id from publications p join users u on u.id = p.created_by
      where p.id = any(${publicationIds}::uuid[]) and u.id <> ${callerId} and ${isToldTo}
        and not exists (select from accepted_publications before where before.publication_id = p.id)),
    mails as (
      insert into acceptance_mails (id, user_id)
      select gen_random_uuid(), user_id from (select distinct user_id from told) authors returning id, user_id),
    named as (
      insert into accepted_publications (publication_id, mail_id)
      select told.id, mails.id from told join mails using (user_id))
    select id from mails`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Takes out of a mail that has not left what is accepted no longer, so that a later acceptance is told. */
export async function dropTakenBack(db: Database, mailId: string): Promise<void> {
  await sql`
    delete from accepted_publications named using publications p, acceptance_mails m
    where named.mail_id = ${mailId} and m.id = named.mail_id and m.email_status in ('queued', 'failed')
      and p.id = named.publication_id and not ${isAccepted}`.execute(db)
}

/** The mails that have something to tell, with their recipient. */
export const neededMail = sql`
  select m.id, u.nom, u.email as address, u.langue, about.publications, about.total
  from acceptance_mails m join users u on u.id = m.user_id
  cross join lateral (
    select max(one.total)::int as total, jsonb_agg(one.shown order by one.title, one.id) as publications
    from (
      select p.id, p.title, count(*) over () as total,
        jsonb_build_object('id', p.id, 'slug', p.slug, 'title', p.title, 'publie_le', ${jsonTime(sql`p.publie_le`)},
          'is_shown', ${visible}) as shown
      from accepted_publications named join publications p on p.id = named.publication_id
      left join acteurs a on a.id = p.acteur_id
      where named.mail_id = m.id and ${isAccepted}
      order by p.title, p.id limit ${sql.lit(maxNamed)}) one) about
  where about.total > 0 and ${isToldTo}`
