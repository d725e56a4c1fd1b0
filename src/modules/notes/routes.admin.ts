import { requireKind } from '../../platform/access/record-kinds.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { getNote, notesList, requireRecord } from './queries.ts'
import { removeNote, withCan, writeNote } from './rules.ts'
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
