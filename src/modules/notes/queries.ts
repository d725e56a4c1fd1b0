import { sql } from 'kysely'
import { type RecordKindName, recordKinds } from '../../platform/access/record-kinds.ts'
import { userNameOf } from '../../platform/access/users.ts'
import { equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import type { Note } from './schema.ts'

type About = { kind: RecordKindName; id: string }
export type NoteRow = Omit<Note, 'can'>

/** Locks the record, so that it is not deleted before the transaction ends; 404 if it does not exist. */
export async function lockRecord(tx: Database, { kind, id }: About): Promise<void> {
  const { rows } =
    await sql`select from ${sql.table(recordKinds[kind].table)} where id = ${id} for key share`.execute(tx)
  if (rows.length === 0) throw notFound()
}

/** Throws 404 if the record does not exist. */
export async function requireRecord(db: Database, { kind, id }: About): Promise<void> {
  const { rows } = await sql`select from ${sql.table(recordKinds[kind].table)} where id = ${id}`.execute(db)
  if (rows.length === 0) throw notFound()
}

const columns = sql<NoteRow>`n.id, n.kind, n.record_id, n.body, n.created_by, n.created_at,
  ${userNameOf(sql`n.created_by`)} as created_by_user`

export const notesList: List<About, NoteRow> = {
  name: 'notes',
  from: sql`notes n`,
  as: 'n',
  filters: { kind: equals('n.kind'), id: equals('n.record_id') },
  sorts: { id: [byId] },
  defaults: { sort: 'id_desc' },
  columns,
}

export async function insertNote(
  tx: Database,
  note: { id: string; kind: RecordKindName; record_id: string; body: string; created_by: string },
): Promise<NoteRow> {
  await tx.insertInto('notes').values(note).execute()
  return getNote(tx, note.id)
}

export async function getNote(db: Database, id: string): Promise<NoteRow> {
  const { rows } = await sql<NoteRow>`select ${columns} from notes n where n.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks a note until the transaction ends; 404 if it does not exist. */
export async function getNoteForUpdate(tx: Database, id: string): Promise<NoteRow> {
  await sql`select from notes where id = ${id} for update`.execute(tx)
  return getNote(tx, id)
}

export async function deleteNote(tx: Database, id: string): Promise<void> {
  await tx.deleteFrom('notes').where('id', '=', id).execute()
}
