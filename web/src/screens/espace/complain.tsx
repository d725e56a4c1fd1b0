import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { useDraft } from '../../shell/drafts.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { complain, type Statement } from './queries.ts'

/** Button by which somebody objects to a decision, while it is possible and they have not. */
export function Complain({ statement }: { statement: Statement }) {
  const words = useTranslations('espace.statement')
  const [isAsked, setAsked] = useState(false)
  if (statement.complaint !== null || new Date(statement.complain_until).getTime() < Date.now()) return null
  return (
    <>
      <Button small onPress={() => setAsked(true)}>
        {words('contest')}
      </Button>
      {isAsked && <Question statement={statement} onClose={() => setAsked(false)} />}
    </>
  )
}

const form = 'complaint'

function Question({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const words = useTranslations('espace.statement')
  const common = useTranslations('ui')
  const format = useFormatter()
  const client = useQueryClient()
  const [text, change, clear] = useDraft(`complaint.${statement.id}`)
  const sending = useSubmit({
    mutationFn: () => complain(statement.id, text),
    onSuccess: () => {
      clear()
      onClose()
      showToast({ title: words('contested') })
      void client.invalidateQueries({ queryKey: ['publications', 'statements'] })
    },
  })
  const wrong = messageFor(sending.error, (name) => name === 'text')
  const until = format.dateTime(new Date(statement.complain_until), { dateStyle: 'long' })
  return (
    <Dialog
      isOpen
      title={words('contestTitle')}
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
        <p>{words('contestText', { until })}</p>
        <TextField
          label={words('contestWhy')}
          help={words('contestHelp')}
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
