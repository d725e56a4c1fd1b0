import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { datesIn } from '../../../ui/typed-dates.ts'
import styles from './collectes.module.css'
import { todayInParis } from './days.ts'
import type { ScheduleFields } from './schedule.ts'

type PasteProps = {
  typed: Pick<ScheduleFields, 'dates'>
  onChange: (changed: Pick<ScheduleFields, 'dates'>) => void
}

/** Adds the dates of a text: a calendar of the intercommunalité, a mail, a column of a table. */
export function PasteDates({ typed, onChange }: PasteProps) {
  const words = useTranslations('communes.calendar')
  const [text, setText] = useState('')
  const dates = datesIn(text, todayInParis()).filter((date) => !typed.dates.includes(date))
  return (
    <div className={styles.move}>
      <TextField label={words('paste')} help={words('pasteHelp')} rows={2} value={text} onChange={setText} />
      <Button
        small
        isDisabled={dates.length === 0}
        onPress={() => {
          onChange({ dates: [...typed.dates, ...dates].sort() })
          setText('')
        }}
      >
        {words('pasteAdd', { count: dates.length })}
      </Button>
    </div>
  )
}
