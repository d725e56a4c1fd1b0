import { now, toCalendarDateTime } from '@internationalized/date'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { zone } from '../../../ui/moment.ts'
import { momentOf } from '../../../ui/moment-field.ts'

const formId = 'schedule'

/** Default time: tomorrow at 08:00 in Paris, because publications are read in the morning. */
const usual = () =>
  toCalendarDateTime(now(zone).add({ days: 1 })).set({ hour: 8, minute: 0, second: 0, millisecond: 0 })

type ScheduleProps = {
  /** Number of publications. */
  count: number
  onClose: () => void
  onSchedule: (at: string) => void
}

export function Schedule({ count, onClose, onSchedule }: ScheduleProps) {
  const words = useTranslations('queue')
  const [typed, setTyped] = useState(() => usual().toString().slice(0, 16))
  const [error, setError] = useState<string | null>(null)
  const submit = () => {
    const moment = momentOf(typed)
    if (moment === null) return setError(words('noMoment'))
    if (moment <= new Date()) return setError(words('pastMoment'))
    onSchedule(moment.toISOString())
    onClose()
  }
  return (
    <Dialog
      title={words('scheduleTitle', { count })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('notNow')}</Button>
          <Button look="primary" type="submit" form={formId}>
            {words('schedule')}
          </Button>
        </>
      }
    >
      <Form id={formId} onSubmit={submit}>
        <DateField
          withTime
          label={words('moment')}
          help={words('momentHelp')}
          isRequired
          autoFocus
          value={typed}
          onChange={setTyped}
          error={error}
        />
      </Form>
    </Dialog>
  )
}
