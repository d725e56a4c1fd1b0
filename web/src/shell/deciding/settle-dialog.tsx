import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'

type SettleProps = {
  /** The name of the record, for the text of the dialog. */
  name: string
  settle: (reason: string) => Promise<unknown>
  onClose: () => void
  /** Called after every attempt: the record may have changed. */
  onSettled: () => void
}

/** Dialog to say, with a reason, that nothing is to be done about something that went wrong. */
export function SettleDialog({ name, settle, onClose, onSettled }: SettleProps) {
  const words = useTranslations('settle')
  const [reason, setReason] = useState(words('usual'))
  const settling = useSubmit({
    mutationFn: () => settle(reason.trim()),
    onSuccess: () => {
      showToast({ title: words('done') })
      onClose()
    },
    onSettled,
  })
  const isEmpty = reason.trim() === ''
  return (
    <Dialog
      title={words('title')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button
            look="primary"
            type="submit"
            form="settle"
            isDisabled={isEmpty}
            isPending={settling.isPending}
          >
            {words('settle')}
          </Button>
        </>
      }
    >
      <Form id="settle" isSaving={settling.isPending} onSubmit={() => !isEmpty && settling.submit()}>
        <p>{words('text', { name })}</p>
        {settling.isError && <ShownFailure error={settling.error} />}
        <TextField
          label={words('reason')}
          help={words('reasonHelp')}
          isRequired
          autoFocus
          maxLength={1_000}
          value={reason}
          onChange={setReason}
        />
      </Form>
    </Dialog>
  )
}
