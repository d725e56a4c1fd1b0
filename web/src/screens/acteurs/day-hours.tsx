import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../ui/button.tsx'
import { TimeField } from '../../ui/date-field.tsx'
import { Soft } from '../../ui/layout.tsx'
import styles from './hours.module.css'
import type { Span, Week } from './hours.ts'

/** Days of a week, in its order. */
export const weekdays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const

type WeekProps = { days: Week['days']; onChange: (days: Week['days']) => void }

/** Hours of each day of a week. */
export function WeekHours({ days, onChange }: WeekProps) {
  const dayWords = useTranslations('communes.collectes.days')
  return weekdays.map((day, index) => (
    <DayHours
      key={day}
      name={dayWords(day)}
      spans={days[index] ?? []}
      before={days[index - 1] ?? []}
      onChange={(spans) => onChange(days.with(index, spans))}
    />
  ))
}

type DayProps = {
  name: string
  spans: readonly Span[]
  /** Hours of the day before, which are often the same. */
  before: readonly Span[]
  onChange: (spans: readonly Span[]) => void
}

/** Hours of one day: none while it is closed. */
export function DayHours({ name, spans, before, onChange }: DayProps) {
  const words = useTranslations('acteurs.hours')
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
