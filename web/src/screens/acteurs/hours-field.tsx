import { useTranslations } from 'use-intl'
import { acteurFields } from '../../../../src/modules/acteurs/fields.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { useIsSaving } from '../../ui/form.tsx'
import { WeekHours, weekdays } from './day-hours.tsx'
import { Exceptions, useExceptionInWords } from './exceptions.tsx'
import styles from './hours.module.css'
import { type Hours, runsOf, type Week } from './hours.ts'

type HoursProps = {
  hours: Hours
  error: string | null
  onChange: (changed: Partial<Hours>) => void
}

/** Opening hours day by day, as the door says them, with closures and other hours by date. */
export function HoursField({ hours: { week, text }, error, onChange }: HoursProps) {
  const words = useTranslations('acteurs.hours')
  const isSaving = useIsSaving()
  if (week === null)
    return (
      <TextField
        label={words('title')}
        help={words('text')}
        maxLength={acteurFields.horaires.max}
        value={text}
        onChange={(text) => onChange({ text })}
        error={error}
      />
    )
  const change = (changed: Partial<Week>) => onChange({ week: { ...week, ...changed } })
  return (
    <fieldset className={styles.week} disabled={isSaving}>
      <legend className={styles.legend}>{words('title')}</legend>
      <WeekHours days={week.days} onChange={(days) => change({ days })} />
      <Checkbox
        isSelected={week.closedOnHolidays}
        onChange={(closedOnHolidays) => change({ closedOnHolidays })}
      >
        {words('holidays')}
      </Checkbox>
      <Exceptions
        week={week}
        onChange={(exceptions) => {
          const { exceptions: _before, ...usual } = week
          onChange({ week: exceptions.length === 0 ? usual : { ...usual, exceptions } })
        }}
      />
      {error && <p className={styles.wrong}>{error}</p>}
    </fieldset>
  )
}

/** Opening hours, a line for neighbouring days with the same hours. */
export function HoursInWords({ hours: { week, text } }: { hours: Hours }) {
  const words = useTranslations('acteurs.hours')
  const inWords = useExceptionInWords()
  if (week === null) return text
  return (
    <>
      <RunsInWords days={week.days} />
      {week.closedOnHolidays && <div>{words('holidays')}</div>}
      {week.exceptions?.map((exception) => {
        const sentence = inWords(exception)
        return (
          <div key={sentence}>
            {sentence}
            {exception.kind === 'season' && <RunsInWords days={exception.days} />}
          </div>
        )
      })}
    </>
  )
}

function RunsInWords({ days }: Pick<Week, 'days'>) {
  const words = useTranslations('acteurs.hours')
  const dayWords = useTranslations('communes.collectes.days')
  const nameOf = (index: number) => dayWords(weekdays[index] ?? weekdays[0])
  return runsOf(days).map(({ first, last, spans }) => (
    <div key={first}>
      {words('line', {
        which: first === last ? nameOf(first) : words('days', { first: nameOf(first), last: nameOf(last) }),
        times: spans.map(({ from, to }) => `${from} – ${to}`).join(', '),
      })}
    </div>
  ))
}
