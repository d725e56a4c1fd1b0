import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { components } from '../api/api.generated.ts'
import { messageFor } from '../api/failure.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { showToast } from '../ui/toast.tsx'
import { useDraft } from './drafts.ts'
import { useSubmit } from './editing/use-submit.ts'
import { ShownFailure } from './shown-failure.tsx'

type Complaint = components['schemas']['ComplaintOfCaller']
type ComplainProps = {
  /** A statement of reasons, or a report with its outcome. */
  contested: { id: string; complaint: Complaint; complain_until: string | null }
  send: (text: string) => Promise<unknown>
  onSent: () => void
}

/** Button by which somebody objects to a decision, while it is possible and they have not. */
export function Complain({ contested, send, onSent }: ComplainProps) {
  const words = useTranslations('contest')
  const [isAsked, setAsked] = useState(false)
  const { id, complaint, complain_until: until } = contested
  if (complaint !== null || until === null || new Date(until).getTime() < Date.now()) return null
  return (
    <>
      <Button small onPress={() => setAsked(true)}>
        {words('action')}
      </Button>
      {isAsked && <Question {...{ id, until, send, onSent }} onClose={() => setAsked(false)} />}
    </>
  )
}

/** Says what became of one's own complaint. */
export function OwnComplaint({ complaint }: { complaint: NonNullable<Complaint> }) {
  const words = useTranslations('contest')
  const format = useFormatter()
  const at = format.dateTime(new Date(complaint.created_at), { dateStyle: 'long' })
  return (
    <p>
      {words(complaint.decision ?? 'awaited', { at })} {complaint.answer}
    </p>
  )
}

const form = 'complaint'

type QuestionProps = Pick<ComplainProps, 'send' | 'onSent'> & {
  id: string
  until: string
  onClose: () => void
}

function Question({ id, until, send, onSent, onClose }: QuestionProps) {
  const words = useTranslations('contest')
  const common = useTranslations('ui')
  const format = useFormatter()
  const [text, change, clear] = useDraft(`complaint.${id}`)
  const sending = useSubmit({
    mutationFn: () => send(text),
    onSuccess: () => {
      clear()
      onClose()
      showToast({ title: words('sent') })
      onSent()
    },
  })
  const wrong = messageFor(sending.error, (name) => name === 'text')
  return (
    <Dialog
      isOpen
      title={words('title')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button look="primary" type="submit" form={form} isPending={sending.isPending}>
            {words('send')}
          </Button>
        </>
      }
    >
      <Form id={form} isSaving={sending.isPending} onSubmit={() => sending.submit()}>
        <p>{words('text', { until: format.dateTime(new Date(until), { dateStyle: 'long' }) })}</p>
        <TextField
          label={words('why')}
          help={words('help')}
          isRequired
          autoFocus
          rows={6}
          maxLength={5_000}
          value={text}
          onChange={change}
          error={wrong}
        />
        {sending.isError && wrong === null && <ShownFailure error={sending.error} />}
      </Form>
    </Dialog>
  )
}
