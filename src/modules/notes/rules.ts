import type { SignedIn } from '../../platform/access/caller.ts'
import { type RecordKindName, requireKind } from '../../platform/access/record-kinds.ts'
import { allowedOf, allows, relationsOf } from '../../platform/access/rules.ts'
import { append, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { forbidden } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { noteRules } from './permissions.ts'
import { deleteNote, getNoteForUpdate, insertNote, lockRecord, type NoteRow } from './queries.ts'
import { note } from './record.ts'
import type { Note, NoteCreate } from './schema.ts'

/** Adds what the caller may do with a note: its author deletes it. */
export const withCan = (caller: SignedIn, row: NoteRow): Note => ({
  ...row,
  can: allowedOf(noteRules, relationsTo(row, caller)),
})

const relationsTo = ({ created_by }: NoteRow, { user }: SignedIn) =>
  relationsOf(user, { authorId: created_by })

export function writeNote(db: Database, caller: SignedIn, { kind, id, body }: NoteCreate): Promise<Note> {
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
export function removeNote(db: Database, caller: SignedIn, id: string): Promise<Note> {
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
