import Type, { type Static } from 'typebox'
import { recordKindNames } from '../../platform/access/record-kinds.ts'
import { listQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  filledText,
  Id,
  oneOf,
  ResponseTimestamp,
  strictObject,
  titled,
  UserName,
} from '../../platform/http/validation/schemas.ts'
import { noteRules } from './permissions.ts'

const kind = oneOf(recordKindNames, 'Kind of the record')

export const ById = Type.Object({ id: Id() })

export const NotesQuery = Type.Object({
  ...listQuery,
  kind,
  id: Id('Identifier of the record'),
})

export const NoteCreate = strictObject({
  kind,
  id: Id('Identifier of the record'),
  body: filledText(2_000, { examples: ['J’ai appelé l’association : la date est la bonne.'] }),
})
export type NoteCreate = Static<typeof NoteCreate>

export const Note = titled('Note', {
  id: Id(),
  kind,
  record_id: Id('Identifier of the record'),
  body: Type.String({ examples: ['J’ai appelé l’association : la date est la bonne.'] }),
  created_by: Id('The colleague who wrote it'),
  created_by_user: UserName,
  created_at: ResponseTimestamp(),
  can: Can(noteRules),
})
export type Note = Static<typeof Note>
