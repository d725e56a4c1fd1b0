import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { momentOf } from '../../../ui/moment-field.ts'

const formId = 'feature'

type FeatureProps = {
  onClose: () => void
  /** Called with the end, or null for none. */
  onFeature: (until: string | null) => void
}

/** Dialog to feature a publication, with an end if it is to have one. */
export function Feature({ onClose, onFeature }: FeatureProps) {
  const words = useTranslations('publications')
  const [until, setUntil] = useState('')
  const [isPast, setPast] = useState(false)
  const submit = () => {
    const end = momentOf(until)
    if (end !== null && end <= new Date()) return setPast(true)
    onFeature(end?.toISOString() ?? null)
    onClose()
  }
  return (
    <Dialog
      title={words('feature')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('notNow')}</Button>
          <Button look="primary" type="submit" form={formId}>
            {words('feature')}
          </Button>
        </>
      }
    >
      <Form id={formId} onSubmit={submit}>
        <DateField
          withTime
          label={words('featuredUntil')}
          help={words('featuredUntilHelp')}
          autoFocus
          value={until}
          onChange={setUntil}
          error={isPast ? words('pastEnd') : null}
        />
      </Form>
    </Dialog>
  )
}
