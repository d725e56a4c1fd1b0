import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import {
  type RecordKindName,
  recordKindNames,
  recordKinds,
  requireKind,
  requireRecord,
} from '../../platform/access/record-kinds.ts'
import { allowedOf, allows, type Rule, relationsOf } from '../../platform/access/rules.ts'
import { userNameOf } from '../../platform/access/users.ts'
import { append, create } from '../../platform/change.ts'
import { equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { forbidden, notFound, raise } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { listQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  filledText,
  Id,
  oneOf,
  ResponseTimestamp,
  record,
  strictObject,
  titled,
  UserName,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'

export const noteRules = {
  delete: { name: 'note.delete', allows: 'delete a note', over: 'own', who: ['author'] },
} satisfies Record<string, Rule>

const kind = oneOf(recordKindNames, 'Kind of the record')

const ById = Type.Object({ id: Id() })

const NotesQuery = Type.Object({
  ...listQuery,
  kind,
  id: Id('Identifier of the record'),
})

const NoteCreate = strictObject({
  kind,
  id: Id('Identifier of the record'),
  body: filledText(2_000, { examples: ['J’ai appelé l’association : la date est la bonne.'] }),
})
type NoteCreate = Static<typeof NoteCreate>

const Note = titled('Note', {
  id: Id(),
  kind,
  record_id: Id('Identifier of the record'),
  body: Type.String({ examples: ['J’ai appelé l’association : la date est la bonne.'] }),
  created_by: Id('The colleague who wrote it'),
  created_by_user: UserName,
  created_at: ResponseTimestamp(),
  can: Can(noteRules),
})
type Note = Static<typeof Note>

export function notesRoutes(scope: SignedInScope, { db, reads, lists }: Deps): void {
  scope.get(
    '/admin/notes',
    {
      config: { needs: 'record.open', refusals: ['not_found'] },
      schema: {
        operationId: 'listNotes',
        summary: 'Notes of colleagues about a record, newest first',
        querystring: NotesQuery,
        response: { 200: ListPage(Note) },
      },
    },
    async ({ query, caller }) => {
      requireKind(caller, query.kind)
      const [answer] = await Promise.all([
        listPage(lists, notesList, query, (rows) => rows.map((row) => withCan(caller, row))),
        requireRecord(lists, query),
      ])
      return answer
    },
  )

  scope.post(
    '/admin/notes',
    {
      config: {
        audits: 'note.create',
        needs: 'record.open',
        refusals: ['not_found'],
        location: '/admin/notes/{id}',
      },
      schema: {
        operationId: 'createNote',
        summary: 'Write a note about a record for colleagues',
        body: NoteCreate,
        response: { 201: record(Note) },
      },
    },
    async ({ body, caller }, reply) => reply.code(201).send({ data: await writeNote(db, caller, body) }),
  )

  scope.get(
    '/admin/notes/:id',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'getNote',
        summary: 'Read a note',
        params: ById,
        response: { 200: record(Note) },
      },
    },
    async ({ params, caller }) => {
      const row = await getNote(reads, params.id)
      requireKind(caller, row.kind)
      return { data: withCan(caller, row) }
    },
  )

  scope.delete(
    '/admin/notes/:id',
    {
      config: { audits: 'note.delete', needs: ['record.open', 'note.delete'], refusals: ['forbidden'] },
      schema: {
        operationId: 'deleteNote',
        summary: 'Delete one’s own note',
        params: ById,
        response: { 200: record(Note) },
      },
    },
    async ({ params, caller }) => ({ data: await removeNote(db, caller, params.id) }),
  )
}

/** Adds what the caller may do with a note: its author deletes it. */
const withCan = (caller: SignedIn, row: NoteRow): Note => ({
  ...row,
  can: allowedOf(noteRules, relationsTo(row, caller)),
})

const relationsTo = ({ created_by }: NoteRow, { user }: SignedIn) =>
  relationsOf(user, { authorId: created_by })

function writeNote(db: Database, caller: SignedIn, { kind, id, body }: NoteCreate): Promise<Note> {
  requireKind(caller, kind)
  const read = async (_tx: Database, row: NoteRow) => withCan(caller, row)
  return create(db, caller, note, { action: 'note.create', read }, async (tx) => {
    await lockRecord(tx, { kind, id })
    return insertNote(tx, {
      id: uuidv7(),
      kind,
      record_id: id,
      body: body.trim(),
      created_by: caller.user.id,
    })
  })
}

/** Deletes the caller's note; 403 for a colleague's note. */
function removeNote(db: Database, caller: SignedIn, id: string): Promise<Note> {
  return db.transaction().execute(async (tx) => {
    const row = await getNoteForUpdate(tx, id)
    requireKind(caller, row.kind as RecordKindName)
    if (!allows(noteRules.delete, relationsTo(row, caller))) throw forbidden()
    await deleteNote(tx, id)
    const before = note.auditedValues(row)
    await append(tx, caller, { action: 'note.delete', kind: note, entityId: id, before })
    return { ...row, can: [] }
  })
}

/** A note as an audited record. Its text may be about a person. */
export const note = {
  entity: 'note',
  personal: ['body'],
  auditedValues: ({ created_by_user, ...row }: NoteRow) => row,
}

type About = { kind: RecordKindName; id: string }
type NoteRow = Omit<Note, 'can'>

/** Locks the record, so that it is not deleted before the transaction ends; 404 if it does not exist. */
async function lockRecord(tx: Database, { kind, id }: About): Promise<void> {
  const { rows } =
    await sql`select from ${sql.table(recordKinds[kind].table)} where id = ${id} for key share`.execute(tx)
  if (rows.length === 0) throw notFound()
}

const columns = sql<NoteRow>`n.id, n.kind, n.record_id, n.body, n.created_by, n.created_at,
  ${userNameOf(sql`n.created_by`)} as created_by_user`

const notesList: List<About, NoteRow> = {
  name: 'notes',
  from: sql`notes n`,
  as: 'n',
  filters: { kind: equals('n.kind'), id: equals('n.record_id') },
  sorts: { id: [byId] },
  defaults: { sort: 'id_desc' },
  columns,
}

async function insertNote(
  tx: Database,
  note: { id: string; kind: RecordKindName; record_id: string; body: string; created_by: string },
): Promise<NoteRow> {
  await tx.insertInto('notes').values(note).execute()
  return getNote(tx, note.id)
}

async function getNote(db: Database, id: string): Promise<NoteRow> {
  const { rows } = await sql<NoteRow>`select ${columns} from notes n where n.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks a note until the transaction ends; 404 if it does not exist. */
async function getNoteForUpdate(tx: Database, id: string): Promise<NoteRow> {
  await sql`select from notes where id = ${id} for update`.execute(tx)
  return getNote(tx, id)
}

async function deleteNote(tx: Database, id: string): Promise<void> {
  await tx.deleteFrom('notes').where('id', '=', id).execute()
}
