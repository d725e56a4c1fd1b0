import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { ReactNode, SyntheticEvent } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../api/failure.ts'
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
  /** Shown when another record has the same code. */
  taken: string
  onClose: () => void
  onSubmit: (event: SyntheticEvent) => void
  children: ReactNode
}

export function EditDialog({ title, saving, taken, onClose, onSubmit, children }: EditProps) {
  const words = useTranslations('reference')
  const { error } = saving
  const status = error instanceof ApiFailure ? error.status : null
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" form="reference" isPending={saving.isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <form id="reference" className={styles.form} noValidate onSubmit={onSubmit}>
        {children}
        {status === 409 && <Notice tone="bad" title={taken} />}
        {error !== null && status !== 409 && status !== 422 && <ShownFailure error={error} />}
      </form>
    </Dialog>
  )
}
