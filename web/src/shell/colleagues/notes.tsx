import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { useDraft } from '../drafts.ts'
import { ShownFailure } from '../shown-failure.tsx'
import styles from './notes.module.css'
import { addNote, deleteNote, notesQuery, type RecordKind } from './queries.ts'

type NotesProps = {
  kind: RecordKind
  of: string
  fieldRef?: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
}

/** Notes between colleagues. The author and the public never see them. */
export function Notes({ kind, of, fieldRef }: NotesProps) {
  const words = useTranslations('notes')
  const client = useQueryClient()
  const notes = useQuery(notesQuery(kind, of))
  const [body, setBody, clearBody] = useDraft(`note.${of}`)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const carryOut = async (deed: () => Promise<unknown>) => {
    setPending(true)
    setError(null)
    try {
      await deed()
      await client.invalidateQueries(notesQuery(kind, of))
    } catch (failure) {
      setError(failure)
    }
    setPending(false)
  }
  const add = () => {
    if (body.trim() !== '' && !isPending) void carryOut(() => addNote(kind, of, body.trim()).then(clearBody))
  }
  return (
    <section className={styles.notes} aria-labelledby="notes-title">
      <h3 id="notes-title">{words('title')}</h3>
      {notes.isError && <ShownFailure error={notes.error} onRetry={() => void notes.refetch()} />}
      <ul className={styles.list}>
        {notes.data?.map((note) => (
          <li key={note.id} className={styles.note}>
            <div className={styles.head}>
              <strong>{note.created_by_user?.nom ?? words('somebody')}</strong> <Time at={note.created_at} />
              {note.can.includes('delete') && (
                <IconButton
                  icon="close"
                  label={words('delete')}
                  onPress={() => void carryOut(() => deleteNote(note.id))}
                />
              )}
            </div>
            <p className={styles.body}>{note.body}</p>
          </li>
        ))}
      </ul>
      {error !== null && <ShownFailure error={error} />}
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
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
          <Button type="submit" small isPending={isPending}>
            {words('send')}
          </Button>
        )}
      </form>
    </section>
  )
}
