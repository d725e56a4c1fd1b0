import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '../../shell/drafts.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './defibrillateurs.module.css'
import { type DeviceRecord, updateStatut } from './queries.ts'
import { type Statut, statuts } from './search.ts'

type LevelProps = { device: DeviceRecord; level: 'france' | 'commune' }

/** Status and note of one level. What is typed survives a reload until it is saved. */
export function Level({ device, level }: LevelProps) {
  const words = useTranslations('defibrillateurs')
  const client = useQueryClient()
  const stored = device[`statut_admin_${level}`]
  const storedNote = (level === 'france' ? device.note : device.note_commune) ?? ''
  const [draft, setDraft, clearDraft] = useDraft(`defibrillateur.${device.id}.${level}`)
  const [picked, setPicked] = useState<Statut | null>(null)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const statut = picked ?? stored
  // A draft that was emptied is a note to remove: marked by a space, as an empty draft is none.
  const note = draft === '' ? storedNote : draft.replace(/^ $/, '')
  const isChanged = statut !== stored || note.trim() !== storedNote
  const mayEdit = device.can.includes('edit')
  const save = async () => {
    setPending(true)
    setError(null)
    try {
      await updateStatut(level, device, { statut_admin: statut, note: note.trim() || null })
      clearDraft()
      setPicked(null)
      showToast({ title: words('saved') })
    } catch (failure) {
      setError(failure)
    }
    await client.invalidateQueries({ queryKey: ['defibrillateurs'] })
    setPending(false)
  }
  return (
    <Section title={words(`levels.${level}`)} note={words(`levelsAbout.${level}`)}>
      <form
        className={styles.stack}
        aria-label={words(`levels.${level}`)}
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged && !isPending) void save()
        }}
      >
        {error !== null && <ShownFailure error={error} />}
        <Segmented
          label={words('statut')}
          value={statut}
          onChange={(value) => mayEdit && setPicked(value)}
          options={statuts.map((value) => ({ value, label: words(`statuts.${value}`) }))}
        />
        <TextField
          label={words('note')}
          rows={2}
          maxLength={1_000}
          isReadOnly={!mayEdit}
          value={note}
          onChange={(typed) => setDraft(typed === '' && storedNote !== '' ? ' ' : typed)}
        />
        {mayEdit && isChanged && (
          <div>
            <Button type="submit" look="primary" isPending={isPending}>
              {words('save')}
            </Button>
          </div>
        )}
      </form>
    </Section>
  )
}
