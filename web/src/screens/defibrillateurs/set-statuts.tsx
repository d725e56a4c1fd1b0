import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '../../shell/drafts.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import type { Device } from '../../shell/records/defibrillateurs/queries.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Soft } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './defibrillateurs.module.css'
import { updateStatuts } from './queries.ts'
import { type Statut, statuts } from './search.ts'

type SetStatutsProps = { rows: readonly Device[]; onClose: () => void; onDone: () => void }

/** Sets the national status of several devices. An empty note leaves theirs. */
export function SetStatuts({ rows, onClose, onDone }: SetStatutsProps) {
  const words = useTranslations('defibrillateurs')
  const client = useQueryClient()
  const [statut, setStatut] = useState<Statut>('a_verifier')
  const [note, setNote, clearNote] = useDraft('defibrillateurs.bulk')
  const typed = note.trim()
  const { submit, isPending, error } = useSubmit({
    mutationFn: () => updateStatuts(rows, { statut_admin: statut, ...(typed !== '' && { note: typed }) }),
    onSuccess: ({ meta }) => {
      clearNote()
      const left = meta.changed + meta.not_found
      showToast({
        title: words('bulkDone', { count: meta.updated }),
        ...(left > 0 && { detail: words('bulkLeft', { count: left }) }),
      })
      void client.invalidateQueries({ queryKey: ['defibrillateurs'] })
      onDone()
    },
  })
  return (
    <Dialog
      title={words('bulkTitle', { count: rows.length })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" form="statuts" isPending={isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <Form id="statuts" className={styles.stack} onSubmit={submit}>
        {error !== null && <ShownFailure error={error} />}
        <Segmented
          label={words('statutFrance')}
          value={statut}
          onChange={setStatut}
          options={statuts.map((value) => ({ value, label: words(`statuts.${value}`) }))}
        />
        <Soft>{words(`effects.${statut}`)}</Soft>
        <TextField
          label={words('note')}
          help={words('bulkNoteHelp')}
          rows={3}
          maxLength={1_000}
          value={note}
          onChange={setNote}
        />
      </Form>
    </Dialog>
  )
}
