import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import {
  afterId,
  inPages,
  isTheirs,
  type Person,
  type Personal,
  rowsOf,
  unsureOf,
} from '../../platform/personal.ts'

type OwnDraft = { thread_id: string; user_id: string }

const noDraft: OwnDraft = { thread_id: afterId(null), user_id: afterId(null) }

/**
 * Drafts that the person wrote, and drafts of replies to the person. An erasure deletes them all, and nobody
 * handles the threads any more that were assigned to the person. Must run before the erasure of threads, because it
 * finds them by their address.
 */
export const draftsOfPerson: Personal = {
  name: 'drafts',
  title: { en: 'Drafts of replies', fr: 'Brouillons de réponses' },
  erasure: {
    en: 'Are deleted. Threads assigned to the person are assigned to nobody.',
    fr: 'Sont supprimés. Les échanges que la personne suivait ne sont plus suivis par personne.',
  },
  ofOthers: true,
  kind: 'thread',
  find: (person) => sql`
    select d.thread_id::text || ' ' || d.user_id as id, d.thread_id as record_id, null::text as label
    from support_drafts d where ${isOwnDraft(person)}`,
  read: (db, person) =>
    inPages<OwnDraft>(async (last, limit) => {
      const { thread_id, user_id } = last ?? noDraft
      const { rows } = await sql<OwnDraft>`
        select d.thread_id, d.user_id, d.body, d.updated_at from support_drafts d
        where ${isOwnDraft(person)} and (d.thread_id, d.user_id) > (${thread_id}::uuid, ${user_id}::uuid)
        order by d.thread_id, d.user_id limit ${limit}`.execute(db)
      return rows
    }),
  erase: eraseDrafts,
}

const isOwnDraft = (person: Person) => sql<boolean>`(
  d.user_id = any(${person.userIds}::uuid[]) or d.thread_id in (
    select id from support_threads where ${isTheirs(person)}))`

async function eraseDrafts(tx: Database, person: Person): Promise<string[]> {
  await sql`
    update support_threads set assignee_id = null where assignee_id = any(${person.userIds}::uuid[])`.execute(
    tx,
  )
  const { rows } = await sql<{ id: string }>`
    delete from support_drafts d where ${isOwnDraft(person)} returning d.thread_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Threads that the person started, with all messages. Their replies to others belong to their actions. */
export const threadsOfPerson: Personal = {
  name: 'threads',
  title: { en: 'Support threads', fr: 'Échanges avec l’assistance' },
  erasure: {
    en: 'Lose name, address, subject and all messages, and are closed. Their number and dates stay.',
    fr: 'Perdent nom, adresse, objet et tous les messages, et sont fermés. Leur numéro et leurs dates restent.',
  },
  kind: 'thread',
  find: (person) => sql`
    select id::text as id, id as record_id, subject as label
    from support_threads where ${isTheirs(person)}`,
  read: rowsOf(
    'support_threads',
    sql`number, subject, nom, email, commune_id, status, created_at, (
      select json_agg(json_build_object('direction', direction, 'body', body, 'created_at', m.created_at,
        'quoted', r.quoted, 'attachments', r.attachments)
        order by m.created_at, m.id)
      from support_messages m left join received_mails r on r.message_id = m.id
      where m.thread_id = support_threads.id) as messages`,
    isTheirs,
  ),
  unsure: unsureOf('support_threads'),
  erase: eraseThreads,
}

/** Closes the threads and deletes the address, so that nobody can reply. Cancels queued mails. */
async function eraseThreads(tx: Database, person: Person): Promise<string[]> {
  const erased = await sql<{ id: string }>`
    update support_threads
    set subject = '(erased)', nom = null, email = null, said = '', unread = false, status = 'closed',
      closed_at = coalesce(closed_at, now())
    where ${isTheirs(person)} and email is not null
    returning id`.execute(tx)
  const threads = erased.rows.map(({ id }) => id)
  // A separate statement, so that it sees replies committed while the first one waited for the lock.
  const emptied = await sql<{ id: string }>`
    update support_messages
    set body = '(erased)', email_error = null,
      email_status = case email_status when 'queued' then 'failed' else email_status end
    where thread_id = any(${threads}::uuid[])
    returning id`.execute(tx)
  await sql`
    update received_mails set quoted = null, attachments = '[]'
    where message_id in (select id from support_messages where thread_id = any(${threads}::uuid[]))`.execute(
    tx,
  )
  return [...threads, ...emptied.rows.map(({ id }) => id)]
}

const isFromThem = ({ emails }: Person) =>
  sql<boolean>`lower(from_address collate "C") = any(${emails}::text[])`

/** Mails that the person sent into threads of others, or in answer to a mail to another address. */
export const mailsOfPerson: Personal = {
  name: 'received_mails',
  title: { en: 'Answers by mail from another address', fr: 'Réponses par courriel d’une autre adresse' },
  erasure: {
    en: 'Lose address, text and names of attachments. Their date stays.',
    fr: 'Perdent adresse, texte et noms des pièces jointes. Leur date reste.',
  },
  ofOthers: true,
  kind: 'thread',
  find: (person) => sql`
    select r.id::text as id, m.thread_id as record_id, t.subject as label
    from received_mails r join support_messages m on m.id = r.message_id join support_threads t on t.id = m.thread_id
    where ${isFromThem(person)}`,
  read: rowsOf(
    'received_mails',
    sql`from_address, quoted, attachments, (
      select m.body from support_messages m where m.id = received_mails.message_id) as body,
      created_at`,
    isFromThem,
  ),
  erase: eraseMails,
}

async function eraseMails(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string; message_id: string }>`
    update received_mails set from_address = '', quoted = null, attachments = '[]'
    where ${isFromThem(person)} returning id, message_id`.execute(tx)
  await sql`
    update support_messages set body = '(erased)'
    where id = any(${rows.map(({ message_id }) => message_id)}::uuid[])`.execute(tx)
  return rows.map(({ id }) => id)
}
