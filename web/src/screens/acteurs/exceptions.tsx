import { useLocale, useTranslations } from 'use-intl'
import { isPublicHoliday } from '../../../../src/platform/time/public-holidays.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { asFrenchWrites, dayInParis } from '../../ui/moment.ts'
import { DayHours, WeekHours } from './day-hours.tsx'
import styles from './hours.module.css'
import type { Exception, Week } from './hours.ts'

type ExceptionsProps = { week: Week; onChange: (exceptions: readonly Exception[]) => void }

/** Closures and other hours of single days and periods: each in words, with its dates, and a button that takes it back. */
export function Exceptions({ week, onChange }: ExceptionsProps) {
  const words = useTranslations('acteurs.hours.exceptions')
  const { exceptions = [] } = week
  const add = (exception: Exception) => onChange([...exceptions, exception])
  return (
    <section className={styles.week} aria-label={words('title')}>
      <strong>{words('title')}</strong>
      <Soft>{words('help')}</Soft>
      {exceptions.map((exception, at) => (
        <OneException
          // biome-ignore lint/suspicious/noArrayIndexKey: exceptions have no other identity
          key={at}
          exception={exception}
          onChange={(changed) => onChange(exceptions.with(at, { ...exception, ...changed }))}
          onRemove={() => onChange(exceptions.toSpliced(at, 1))}
        />
      ))}
      <Row>
        <Button small icon="plus" onPress={() => add(closedOn(tomorrow()))}>
          {words('addClosed')}
        </Button>
        <Button small icon="plus" onPress={() => add(openOn(tomorrow()))}>
          {words('addDay')}
        </Button>
        <Button small icon="plus" onPress={() => add(nextSummer(week))}>
          {words('addSeason')}
        </Button>
      </Row>
      {!week.closedOnHolidays && <Holidays week={week} onAdd={(date) => add(closedOn(date))} />}
    </section>
  )
}

const dayMs = 86_400_000
const tomorrow = () => dayInParis(new Date(Date.now() + dayMs))

const onDay = (date: string) => ({ first: date, last: date, isYearly: false })
const closedOn = (date: string): Exception => ({ kind: 'closed', ...onDay(date), days: [] })
const openOn = (date: string): Exception => ({
  ...{ kind: 'day', ...onDay(date) },
  days: [[{ from: '09:00', to: '12:00' }]],
})

/** The months of the next summer, with the hours of the week to begin with. */
function nextSummer({ days }: Week): Exception {
  const today = dayInParis(new Date())
  const thisYear = Number(today.slice(0, 4))
  const year = today > `${thisYear}-08-31` ? thisYear + 1 : thisYear
  return { kind: 'season', first: `${year}-07-01`, last: `${year}-08-31`, isYearly: false, days }
}

type OneProps = {
  exception: Exception
  onChange: (changed: Partial<Exception>) => void
  onRemove: () => void
}

function OneException({ exception, onChange, onRemove }: OneProps) {
  const words = useTranslations('acteurs.hours.exceptions')
  const inWords = useExceptionInWords()
  const { kind, first, last, isYearly, days } = exception
  const sentence = inWords(exception)
  const isBackwards = first !== '' && last !== '' && last < first
  // The end follows the beginning, so that one day is one date to type.
  const begin = (date: string) =>
    onChange({ first: date, ...((kind === 'day' || last === first) && { last: date }) })
  return (
    <fieldset className={styles.exception} aria-label={sentence}>
      <p className={styles.sentence} aria-live="polite">
        {sentence}
      </p>
      <div className={styles.dates}>
        <DateField
          isRequired
          label={words(kind === 'day' ? 'on' : 'first')}
          value={first}
          onChange={begin}
          error={first === '' ? words('noDate') : null}
        />
        {kind !== 'day' && (
          <DateField
            isRequired
            label={words('last')}
            value={last}
            onChange={(date) => onChange({ last: date })}
            error={last === '' ? words('noDate') : isBackwards ? words('backwards') : null}
          />
        )}
      </div>
      <Checkbox isSelected={isYearly} onChange={(isYearly) => onChange({ isYearly })}>
        {words('yearly')}
      </Checkbox>
      {kind === 'day' && (
        <DayHours
          name={words('theDay')}
          spans={days[0] ?? []}
          before={[]}
          onChange={(spans) => onChange({ days: [spans] })}
        />
      )}
      {kind === 'season' && <WeekHours days={days} onChange={(days) => onChange({ days })} />}
      <Row>
        <Button small icon="close" aria-label={words('removeNamed', { what: sentence })} onPress={onRemove}>
          {words('remove')}
        </Button>
      </Row>
    </fieldset>
  )
}

/** Proposes the public holidays of twelve months that fall on days of the week with hours. */
function Holidays({ week, onAdd }: { week: Week; onAdd: (date: string) => void }) {
  const words = useTranslations('acteurs.hours.exceptions')
  const language = useLocale()
  const taken = new Set(week.exceptions?.map(({ first }) => first))
  const holidays = holidaysFrom(dayInParis(new Date())).filter(
    (date) => !taken.has(date) && (week.days[weekdayOf(date)]?.length ?? 0) > 0,
  )
  if (holidays.length === 0) return null
  const options = { weekday: 'long', day: 'numeric', month: 'long' } as const
  return (
    <>
      <Soft>{words('holidays')}</Soft>
      <Row>
        {holidays.map((date) => (
          <Button
            key={date}
            small
            aria-label={words('closeOn', { day: inDays(date, language, options) })}
            onPress={() => onAdd(date)}
          >
            {inDays(date, language, options)}
          </Button>
        ))}
      </Row>
    </>
  )
}

const asDate = (day: string) => new Date(`${day}T00:00:00Z`)
/** Monday is 0. */
const weekdayOf = (day: string) => (asDate(day).getUTCDay() + 6) % 7

const holidaysFrom = (today: string): string[] =>
  Array.from({ length: 365 }, (_, at) => new Date(asDate(today).getTime() + at * dayMs))
    .filter((date) =>
      // Holidays of the whole country: no département is known here.
      isPublicHoliday('', date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()),
    )
    .map((date) => date.toISOString().slice(0, 10))

const inDays = (day: string, language: string, options: Intl.DateTimeFormatOptions) =>
  asFrenchWrites(new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(asDate(day)))

/** Returns a function that says an exception in a sentence. */
export function useExceptionInWords() {
  const words = useTranslations('acteurs.hours.exceptions')
  const language = useLocale()
  return ({ kind, first, last, isYearly, days }: Exception): string => {
    if (first === '' || last === '') return words('noDate')
    const options: Intl.DateTimeFormatOptions = {
      ...{ day: 'numeric', month: 'long' },
      ...(!isYearly && { year: 'numeric' }),
    }
    const isOne = first === last
    const sentence = words(`sentences.${kind}.${isOne ? 'one' : 'many'}`, {
      first: inDays(first, language, isOne && !isYearly ? { weekday: 'long', ...options } : options),
      last: inDays(last, language, options),
      times: (days[0] ?? []).map(({ from, to }) => `${from} – ${to}`).join(', ') || words('closed'),
    })
    return isYearly ? words('eachYear', { sentence }) : sentence
  }
}
