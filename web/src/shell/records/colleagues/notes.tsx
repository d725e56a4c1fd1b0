import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Time } from '../../../ui/time.tsx'
import { useDeletedToast } from '../../deleted-toast.ts'
import { readDraft, useDraft } from '../../drafts.ts'
import { useSubmit } from '../../editing/use-submit.ts'
import { ShownFailure } from '../../shown-failure.tsx'
import styles from './notes.module.css'
import { addNote, deleteNote, type Note, notesQuery, type RecordKind } from './queries.ts'

type NotesProps = {
  kind: RecordKind
  recordId: string
  fieldRef?: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
}

/** Notes between colleagues. The author and the public never see them. */
export function Notes({ kind, recordId, fieldRef }: NotesProps) {
  const words = useTranslations('notes')
  const client = useQueryClient()
  const sayDeleted = useDeletedToast()
  const notes = useQuery(notesQuery(kind, recordId))
  const draft = `note.${recordId}`
  const [body, setBody, clearBody] = useDraft(draft)
  const reload = () => client.invalidateQueries(notesQuery(kind, recordId))
  const adding = useSubmit({
    // Not in `onSuccess`, which would be about the record that is open by then.
    mutationFn: async (text: string) => {
      await addNote(kind, recordId, text)
      // What was typed meanwhile stays.
      if (readDraft(draft).trim() === text) clearBody()
      void reload()
    },
  })
  const add = () => {
    if (body.trim() !== '') adding.submit(body.trim())
  }
  return (
    <section className={styles.notes} aria-labelledby="notes-title">
      <h3 id="notes-title">{words('title')}</h3>
      {notes.isError && <ShownFailure error={notes.error} onRetry={() => void notes.refetch()} />}
      <ul className={styles.list}>
        {notes.data?.map((note) => (
          <NoteLine
            key={note.id}
            note={note}
            onDelete={() => {
              sayDeleted(words('deleted'), () => addNote(kind, recordId, note.body).then(reload))
              return reload()
            }}
          />
        ))}
      </ul>
      {adding.isError && <ShownFailure error={adding.error} />}
      <Form className={styles.form} onSubmit={add}>
        <TextField
          label={words('add')}
          help={words('help')}
          rows={2}
          maxLength={2_000}
          value={body}
          onChange={setBody}
          inputRef={fieldRef}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) add()
            // Re-enables the shortcuts of the screen.
            else if (event.key === 'Escape') (event.target as HTMLElement).blur()
            else event.continuePropagation()
          }}
        />
        {body.trim() !== '' && (
          <Button type="submit" small isPending={adding.isPending}>
            {words('send')}
          </Button>
        )}
      </Form>
    </section>
  )
}

/** A note, which its author can delete. */
function NoteLine({ note, onDelete }: { note: Note; onDelete: () => Promise<void> }) {
  const words = useTranslations('notes')
  const deleting = useSubmit({ mutationFn: () => deleteNote(note.id), onSuccess: onDelete })
  return (
    <li className={styles.note}>
      <div className={styles.head}>
        <strong>{note.created_by_user?.nom ?? words('somebody')}</strong> <Time at={note.created_at} />
        {note.can.includes('delete') && (
          <IconButton
            icon="close"
            label={words('delete')}
            isPending={deleting.isPending}
            onPress={() => deleting.submit()}
          />
        )}
      </div>
      <p className={styles.body}>{note.body}</p>
      {deleting.isError && <ShownFailure error={deleting.error} />}
    </li>
  )
}
