import type { SignedIn } from '../../platform/access/caller.ts'
import { type RecordKindName, requireKind } from '../../platform/access/record-kinds.ts'
import { allowedOf, allows, relationsOf } from '../../platform/access/rules.ts'
import { append, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { forbidden } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { noteRules } from './permissions.ts'
import {
  deleteNote,
  getNote,
  getNoteForUpdate,
  insertNote,
  lockRecord,
  type NoteRow,
  notesList,
  requireRecord,
} from './queries.ts'
import { note } from './record.ts'
import { ById, Note, NoteCreate, NotesQuery } from './schema.ts'

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
  return create(db, caller, auditedNote, { action: 'note.create', read }, async (tx) => {
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
    const before = auditedNote.auditedValues(row)
    await append(tx, caller, { action: 'note.delete', kind: note, entityId: id, before })
    return { ...row, can: [] }
  })
}

const auditedNote = {
  ...note,
  auditedValues: ({ created_by_user, ...row }: NoteRow) => row,
}
