import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { TimeField } from '../../ui/date-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { useIsSaving } from '../../ui/form.tsx'
import { Soft } from '../../ui/layout.tsx'
import styles from './hours.module.css'
import { type Hours, runsOf, type Span } from './hours.ts'

/** Days of a week, in its order. */
const days = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const

type HoursProps = {
  hours: Hours
  error: string | null
  onChange: (changed: Partial<Hours>) => void
}

/** Opening hours day by day, as the door says them. */
export function HoursField({ hours: { week, text }, error, onChange }: HoursProps) {
  const words = useTranslations('acteurs.hours')
  const isSaving = useIsSaving()
  if (week === null)
    return (
      <TextField
        label={words('title')}
        help={words('text')}
        maxLength={500}
        value={text}
        onChange={(text) => onChange({ text })}
        error={error}
      />
    )
  const change = (index: number, spans: readonly Span[]) =>
    onChange({ week: { ...week, days: week.days.with(index, spans) } })
  return (
    <fieldset className={styles.week} disabled={isSaving}>
      <legend className={styles.legend}>{words('title')}</legend>
      {days.map((day, index) => (
        <Day
          key={day}
          day={day}
          spans={week.days[index] ?? []}
          before={week.days[index - 1] ?? []}
          onChange={(spans) => change(index, spans)}
        />
      ))}
      <Checkbox
        isSelected={week.closedOnHolidays}
        onChange={(closedOnHolidays) => onChange({ week: { ...week, closedOnHolidays } })}
      >
        {words('holidays')}
      </Checkbox>
      {error && <p className={styles.wrong}>{error}</p>}
    </fieldset>
  )
}

type DayProps = {
  day: (typeof days)[number]
  spans: readonly Span[]
  /** Hours of the day before, which are often the same. */
  before: readonly Span[]
  onChange: (spans: readonly Span[]) => void
}

function Day({ day, spans, before, onChange }: DayProps) {
  const words = useTranslations('acteurs.hours')
  const dayWords = useTranslations('communes.collectes.days')
  const name = dayWords(day)
  const usual = spans.length === 0 ? { from: '09:00', to: '12:00' } : { from: '14:00', to: '17:00' }
  return (
    <fieldset className={styles.day} aria-label={name}>
      <span className={styles.name}>{name}</span>
      <div className={styles.spans}>
        {spans.length === 0 && <Soft as="span">{words('closed')}</Soft>}
        {spans.map((span, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other identity
          <span key={at} className={styles.span}>
            <TimeField
              quietLabel
              label={words('from', { day: name })}
              value={span.from}
              onChange={(from) => onChange(spans.with(at, { ...span, from }))}
            />
            <span aria-hidden="true">–</span>
            <TimeField
              quietLabel
              label={words('to', { day: name })}
              value={span.to}
              onChange={(to) => onChange(spans.with(at, { ...span, to }))}
            />
            <IconButton
              icon="close"
              label={words('removeSpan', { day: name })}
              onPress={() => onChange(spans.toSpliced(at, 1))}
            />
          </span>
        ))}
      </div>
      <div className={styles.ways}>
        {spans.length === 0 && before.length > 0 && (
          <Button small aria-label={words('asBeforeNamed', { day: name })} onPress={() => onChange(before)}>
            {words('asBefore')}
          </Button>
        )}
        {spans.length < 3 && (
          <Button
            small
            look="quiet"
            icon="plus"
            aria-label={words('addSpanNamed', { day: name })}
            onPress={() => onChange([...spans, usual])}
          >
            {words('addSpan')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

/** Opening hours, a line for neighbouring days with the same hours. */
export function HoursInWords({ hours: { week, text } }: { hours: Hours }) {
  const words = useTranslations('acteurs.hours')
  const dayWords = useTranslations('communes.collectes.days')
  if (week === null) return text
  const nameOf = (index: number) => dayWords(days[index] ?? days[0])
  return (
    <>
      {runsOf(week.days).map(({ first, last, spans }) => (
        <div key={first}>
          {words('line', {
            which:
              first === last ? nameOf(first) : words('days', { first: nameOf(first), last: nameOf(last) }),
            times: spans.map(({ from, to }) => `${from} – ${to}`).join(', '),
          })}
        </div>
      ))}
      {week.closedOnHolidays && <div>{words('holidays')}</div>}
    </>
  )
}
