import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { lastAllowed, type Recurrence } from '../../../../../src/modules/publications/recurrence.ts'
import {
  daysOrNone,
  inRhythm,
  movedTo,
  rhythmsOf,
  ruleInWords,
  ruleUntil,
  seriesInWords,
  splitRule,
  withKnownDates,
} from '../../../../../src/modules/publications/recurrence-words.ts'
import { ApiFailure, messageFor } from '../../../api/failure.ts'
import { useFieldLabels } from '../../../shell/records/publication-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { dayInParis } from '../../../ui/moment.ts'
import { Select } from '../../../ui/select.tsx'
import type { Content } from './content.ts'
import styles from './writing.module.css'

const once = 'once'
const other = 'other'
const maxShown = 8

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

/** Moves the first day, and the series with it. */
export const withFirstDay = (
  { recurrence }: Pick<Content, 'recurrence'>,
  first: string,
): Partial<Content> => ({
  date_debut: first,
  ...(recurrence !== '' &&
    isDay(first) && { recurrence: JSON.stringify(movedTo(first, JSON.parse(recurrence))) }),
})

type RecurrenceProps = {
  content: Content
  stored: string
  onChange: (changed: Partial<Content>) => void
  error: unknown
}

/** Fields of a series: its rhythm, which the first day suggests, its end, and its dates one by one. */
export function RecurrenceFields({ content, stored, onChange, error }: RecurrenceProps) {
  const words = useTranslations('writing.series')
  const labelOf = useFieldLabels()
  const lang = useLocale() === 'en' ? 'en' : 'fr'
  const first = content.date_debut
  if (!isDay(first)) return null
  const recurrence: Recurrence | null = content.recurrence === '' ? null : JSON.parse(content.recurrence)
  const change = (changed: Recurrence | null) =>
    onChange({ recurrence: changed === null ? '' : JSON.stringify(changed) })
  const rhythms = rhythmsOf(first)
  const { rhythm, until } =
    recurrence === null ? { rhythm: '', until: '' } : splitRule(recurrence.regle, first)
  const [known] = Object.entries(rhythms).find(([, one]) => one === rhythm) ?? []
  const value = recurrence === null ? once : (known ?? other)
  const nameOf = (one: string) => {
    const text = ruleInWords(`${one};COUNT=2`, first, lang) ?? one
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  return (
    <>
      <Select
        label={labelOf('recurrence')}
        value={value}
        onChange={(name) => {
          const chosen = rhythms[name]
          if (name !== other) change(chosen === undefined ? null : inRhythm(recurrence, chosen, first))
        }}
        options={[
          { value: once, label: words('once') },
          ...Object.entries(rhythms).map(([name, one]) => ({ value: name, label: nameOf(one) })),
          ...(value === other ? [{ value: other, label: nameOf(rhythm) }] : []),
        ]}
      />
      {recurrence !== null && (
        <fieldset className={styles.series}>
          <legend>{seriesInWords(withKnownDates(recurrence, first), first, lang)}</legend>
          <DateField
            label={words('until')}
            isRequired
            value={until}
            onChange={(day) => {
              if (isDay(day)) change({ ...recurrence, regle: ruleUntil(rhythm, day) })
            }}
            error={wrongOf(error)}
          />
          <Dates {...{ recurrence, first, stored }} onChange={change} />
        </fieldset>
      )}
    </>
  )
}

/** The first sentence about the recurrence: which of its dates is meant stands in it. */
function wrongOf(error: unknown): string | null {
  if (!(error instanceof ApiFailure)) return null
  const name = error.details.find(({ field }) => field.startsWith('recurrence'))?.field
  return name === undefined ? null : messageFor(error, name)
}

type DatesProps = {
  recurrence: Recurrence
  first: string
  stored: string
  onChange: (changed: Recurrence) => void
}

/** The dates of a series, each of which can be taken from it, and more of them. */
function Dates({ recurrence, first, stored, onChange }: DatesProps) {
  const words = useTranslations('writing.series')
  const lang = useLocale() === 'en' ? 'en' : 'fr'
  const [isWhole, setIsWhole] = useState(false)
  const [moving, setMoving] = useState('')
  const { exceptions, ajouts, occurrences } = recurrence
  const all = daysOrNone({ ...recurrence, exceptions: [], occurrences: [] }, first)
  const today = dayInParis(new Date())
  const shown = isWhole ? all : all.filter((day) => day >= today).slice(0, maxShown)
  const seen = new Set(stored === '' ? [] : daysOrNone(JSON.parse(stored), first))
  const moved = new Map(occurrences.map(({ date, reportee_au }) => [date, reportee_au]))
  const format = new Intl.DateTimeFormat(lang, { timeZone: 'UTC', dateStyle: 'full' })
  const inWords = (day: string) => format.format(Date.parse(day))
  const isFree = (day: string) =>
    isDay(day) && day >= first && day <= lastAllowed(first) && !all.includes(day)
  const move = (date: string, reportee_au: string) => {
    const others = occurrences.filter((one) => one.date !== date)
    const isTaken = others.some((one) => one.reportee_au === reportee_au)
    if (!isFree(reportee_au) || isTaken) return
    const left = exceptions.filter((one) => one !== date)
    onChange({ ...recurrence, exceptions: left, occurrences: [...others, { date, reportee_au }] })
  }
  const take = (day: string, isTaken: boolean) => {
    const others = occurrences.filter(({ date }) => date !== day)
    const left = exceptions.filter((one) => one !== day)
    if (isTaken) onChange({ ...recurrence, exceptions: left, occurrences: others })
    else if (ajouts.includes(day) && !seen.has(day))
      onChange({ ...recurrence, ajouts: ajouts.filter((one) => one !== day) })
    else if (seen.has(day))
      onChange({ ...recurrence, occurrences: [...others, { date: day, reportee_au: null }] })
    else onChange({ ...recurrence, exceptions: [...left, day] })
  }
  return (
    <>
      <Soft>{words(stored === '' ? 'leaveOut' : 'callOff')}</Soft>
      <ul className={styles.days}>
        {shown.map((day) => {
          const to = moved.get(day)
          return (
            <li key={day} className={styles.day}>
              <Checkbox
                isSelected={!exceptions.includes(day) && to === undefined}
                onChange={(isTaken) => take(day, isTaken)}
              >
                {inWords(day)}
                {to === null && ` · ${words('calledOff')}`}
                {to && ` · ${words('movedTo', { day: inWords(to) })}`}
              </Checkbox>
              {moving === day ? (
                <MovedTo label={words('moveTo', { day: inWords(day) })} onChange={(to) => move(day, to)} />
              ) : (
                <Button
                  small
                  look="quiet"
                  aria-label={words('moveDay', { day: inWords(day) })}
                  onPress={() => setMoving(day)}
                >
                  {words('move')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {shown.length < all.length && (
        <div>
          <Button small onPress={() => setIsWhole(true)}>
            {words('all', { count: all.length })}
          </Button>
        </div>
      )}
      <DateField
        key={ajouts.length}
        label={words('add')}
        value=""
        onChange={(day) => {
          if (isFree(day)) onChange({ ...recurrence, ajouts: [...ajouts, day] })
        }}
      />
    </>
  )
}

/** The day that a date is moved to, which keeps what is typed until it is a day that can be. */
function MovedTo({ label, onChange }: { label: string; onChange: (day: string) => void }) {
  const [typed, setTyped] = useState('')
  return (
    <DateField
      autoFocus
      label={label}
      value={typed}
      onChange={(day) => {
        setTyped(day)
        onChange(day)
      }}
    />
  )
}
