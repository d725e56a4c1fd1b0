import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import type { Preview } from '../queries.ts'
import styles from './collectes.module.css'
import { dayInWords, daysLater } from './days.ts'
import { type ScheduleFields, withDate, withException, withoutException } from './schedule.ts'

type DayPanelProps = {
  date: string
  /** Collection or exception of the day; undefined without one. */
  day: Preview['jours'][number] | undefined
  typed: ScheduleFields
  onChange: (changed: Partial<ScheduleFields>) => void
}

/** Shows the chosen day and the exceptions that it can have. */
export function DayPanel({ date, day, typed, onChange }: DayPanelProps) {
  const words = useTranslations('communes.calendar')
  const language = useLocale()
  const inWords = (one: string) =>
    dayInWords(one, language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const [to, setTo] = useState(daysLater(date, 1))
  const exception = typed.exceptions.find((one) => one.date === date)
  const isOn = day?.etat === 'passage' || day?.etat === 'reportee_ici'
  return (
    <section className={styles.day} aria-label={words('chosen')}>
      <p aria-live="polite">
        <strong>{inWords(date)}</strong> : {day ? words(`states.${day.etat}`) : words('states.none')}
        {day?.reportee_au && <> ({words('movedTo', { day: inWords(day.reportee_au) })})</>}
        {day?.jour_ferie && <> — {words('holidayHelp')}</>}
      </p>
      <div className={styles.buttons}>
        {exception !== undefined && (
          <Button small onPress={() => onChange(withoutException(typed, date))}>
            {words('restore')}
          </Button>
        )}
        {exception === undefined && isOn && typed.dates.includes(date) && (
          <Button small onPress={() => onChange({ dates: typed.dates.filter((one) => one !== date) })}>
            {words('removeDate')}
          </Button>
        )}
        {exception === undefined && day?.etat === 'passage' && (
          <>
            <Button small onPress={() => onChange(withException(typed, date, null))}>
              {words('drop')}
            </Button>
            {day.jour_ferie && (
              <Button small onPress={() => onChange(withException(typed, date, date))}>
                {words('confirm')}
              </Button>
            )}
          </>
        )}
        {day === undefined && (
          <Button small onPress={() => onChange(withDate(typed, date))}>
            {words('addDate')}
          </Button>
        )}
      </div>
      {exception === undefined && day?.etat === 'passage' && (
        <div className={styles.move}>
          <DateField label={words('moveTo')} isRequired value={to} onChange={setTo} />
          <Button small isDisabled={to === ''} onPress={() => onChange(withException(typed, date, to))}>
            {words('move')}
          </Button>
        </div>
      )}
    </section>
  )
}
