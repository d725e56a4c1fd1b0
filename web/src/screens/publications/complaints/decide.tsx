import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '../../../shell/drafts.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { useMailPlace, withNote } from '../../../shell/mail-place.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/choice.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { complaintQuery, decideComplaint, type ReadComplaint, type Verdict } from './queries.ts'

const signedIn = getRouteApi('/signed-in')

/** The form that decides an open complaint; to whom it is not open, why. */
export function Decide({ complaint }: { complaint: ReadComplaint }) {
  const words = useTranslations('complaints')
  const { me } = signedIn.useRouteContext()
  const isOwn = complaint.user_id === me.id
  return (
    <Section title={words('decide.title')}>
      {complaint.can.includes('edit') ? (
        <DecisionForm complaint={complaint} />
      ) : (
        <p>{words(isOwn ? 'decide.own' : 'decide.samePerson')}</p>
      )}
    </Section>
  )
}

function DecisionForm({ complaint }: { complaint: ReadComplaint }) {
  const words = useTranslations('complaints')
  const { note } = useMailPlace()
  const client = useQueryClient()
  const [decision, setDecision] = useState<Verdict>('upheld')
  const [answer, change, clear] = useDraft(`complaint-answer.${complaint.id}`)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const text = answer.trim()
  const sending = useSubmit({
    mutationFn: () => decideComplaint(complaint, { decision, ...(text !== '' && { answer: text }) }),
    onSuccess: (decided) => {
      clear()
      client.setQueryData(complaintQuery(complaint.id).queryKey, (read) => read && { ...read, ...decided })
      showToast({ title: words(`decide.done.${decision}`) })
    },
    // Also after a failure, because a colleague may have decided.
    onSettled: () => {
      for (const queryKey of [['complaints'], ['publications'], ['acteurs'], ['dashboard']])
        void client.invalidateQueries({ queryKey })
    },
  })
  const submit = () => {
    const lacks = decision === 'upheld' && text === ''
    setMissing(lacks)
    if (lacks) field.current?.focus()
    else sending.submit()
  }
  return (
    <Form isSaving={sending.isPending} onSubmit={submit}>
      <Segmented
        label={words('decide.verdict')}
        value={decision}
        onChange={(chosen) => {
          setDecision(chosen)
          setMissing(false)
        }}
        options={[
          { value: 'upheld', label: words('decide.upheld') },
          { value: 'reversed', label: words('decide.reversed') },
        ]}
      />
      <p>{words(`decide.means.${complaint.about === 'report' ? 'report' : 'statement'}.${decision}`)}</p>
      <TextField
        label={words('decide.answer')}
        help={withNote(words('decide.answerHelp'), note)}
        isRequired={decision === 'upheld'}
        error={isMissing ? words('decide.answerMissing') : null}
        rows={5}
        maxLength={5_000}
        inputRef={field}
        value={answer}
        onChange={(typed) => {
          change(typed)
          setMissing(false)
        }}
      />
      {sending.isError && <ShownFailure error={sending.error} />}
      <div>
        <Button
          type="submit"
          look={decision === 'reversed' ? 'danger' : 'primary'}
          isPending={sending.isPending}
        >
          {words(`decide.send.${decision}`)}
        </Button>
      </div>
    </Form>
  )
}
