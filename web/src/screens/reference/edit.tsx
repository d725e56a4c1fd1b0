import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus, messageFor } from '../../api/failure.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'

type Saving = ReturnType<typeof useSubmit<void>>

/** Saves a record; `wrong` is the message about one of its fields. */
export function useSaving(save: () => Promise<void>, onSaved: () => void) {
  const words = useTranslations('reference')
  const saving = useSubmit({
    mutationFn: save,
    onSuccess: () => {
      showToast({ title: words('saved') })
      onSaved()
    },
  })
  return { saving, wrong: (field: string) => messageFor(saving.error, field) }
}

type EditProps = {
  title: string
  saving: Saving
  draft: { isChanged: boolean; clear: () => void }
  /** Shown when a colleague has changed the record. */
  conflict: ReactNode
  /** Shown when another record has the same code; without it what the service says. */
  taken?: string
  onClose: () => void
  onSubmit: () => void
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
  const isTaken = taken !== undefined && isStatus(error, 409)
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
      <Form isSaving={saving.isPending} id="reference" onSubmit={onSubmit}>
        {!saving.isPending && conflict}
        {children}
        {isTaken && <Notice tone="bad" title={taken} />}
        {error !== null && !isTaken && !isStatus(error, 422) && <ShownFailure error={error} />}
      </Form>
    </Dialog>
  )
}
