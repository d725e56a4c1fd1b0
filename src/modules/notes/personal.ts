import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, inPages, type Person, type Personal } from '../../platform/personal.ts'

type OwnNote = { id: string }

/** Notes by the person, and about their account, claims and threads. An erasure deletes only the latter. */
export const notesOfPerson: Personal = {
  name: 'notes',
  title: { en: 'Notes by them and about them', fr: 'Notes écrites par la personne ou à son sujet' },
  erasure: {
    en: 'Notes about their account, claims and threads are deleted. Notes they wrote about other records stay.',
    fr: 'Les notes sur son compte, ses revendications et ses fils sont supprimées. Celles qu’elle a écrites ailleurs restent.',
  },
  kind: null,
  find: (person) => sql`
    select n.id::text as id, null::uuid as record_id, null::text as label
    from notes n where n.created_by = any(${person.userIds}::uuid[]) or ${isAbout(person)}`,
  read: (db, person) =>
    inPages<OwnNote>(async (last, limit) => {
      const { rows } = await sql<OwnNote>`
        select n.id, n.kind, n.record_id, n.body, n.created_at from notes n
        where (n.created_by = any(${person.userIds}::uuid[]) or ${isAbout(person)}) and n.id > ${afterId(last)}
        order by n.id limit ${limit}`.execute(db)
      return rows
    }),
  erase: eraseNotes,
}

async function eraseNotes(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from notes n where ${isAbout(person)} returning n.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Must run before the erasure of claims and threads, because it finds them by their address. */
const isAbout = ({ userIds, emails }: Person) => sql<boolean>`(n.kind, n.record_id) in (
  select 'user', unnest(${userIds}::uuid[])
  union all
  select 'claim', id from claims
  where user_id = any(${userIds}::uuid[]) or lower(email collate "C") = any(${emails}::text[])
  union all
  select 'thread', id from support_threads
  where user_id = any(${userIds}::uuid[]) or lower(email collate "C") = any(${emails}::text[]))`
