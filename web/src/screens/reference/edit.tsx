import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { ReactNode, SyntheticEvent } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../api/failure.ts'
import { Overtaken } from '../../shell/editing/save.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './reference.module.css'

type Saving = UseMutationResult<void, Error, void>

/** Saves a record; `wrong` is the message about one of its fields. */
export function useSaving(save: () => Promise<void>, onSaved: () => void) {
  const words = useTranslations('reference')
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      showToast({ title: words('saved') })
      onSaved()
    },
  })
  const wrong = (field: string) =>
    saving.error instanceof ApiFailure
      ? (saving.error.details.find((detail) => detail.field === field)?.message ?? null)
      : null
  return { saving, wrong }
}

type EditProps = {
  title: string
  saving: Saving
  draft: { isChanged: boolean; clear: () => void }
  /** Shown when a colleague has changed the record. */
  conflict: ReactNode
  /** Shown when another record has the same code. */
  taken: string
  onClose: () => void
  onSubmit: (event: SyntheticEvent) => void
  children: ReactNode
}

/** Dialog of a record. Closing it keeps the draft. */
export function EditDialog({
  title,
  saving,
  draft,
  conflict,
  taken,
  onClose,
  onSubmit,
  children,
}: EditProps) {
  const words = useTranslations('reference')
  const ofDraft = useTranslations('draft')
  const { error } = saving
  const status = error instanceof ApiFailure ? error.status : null
  const isShown = status === 409 || status === 422 || error instanceof Overtaken
  const discard = () => {
    draft.clear()
    onClose()
  }
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={discard}>{draft.isChanged ? ofDraft('discard') : words('cancel')}</Button>
          <Button look="primary" type="submit" form="reference" isPending={saving.isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <form id="reference" className={styles.form} noValidate onSubmit={onSubmit}>
        {!saving.isPending && conflict}
        {children}
        {status === 409 && <Notice tone="bad" title={taken} />}
        {error !== null && !isShown && <ShownFailure error={error} />}
      </form>
    </Dialog>
  )
}
