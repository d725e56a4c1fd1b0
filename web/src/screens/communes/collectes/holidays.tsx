import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { useCommuneEditing } from '../editing.ts'
import type { Preview, PreviewBody } from '../queries.ts'
import styles from './collectes.module.css'
import { dayInWords, daysLater, todayInParis, workingDayAfter } from './days.ts'
import { days, type ScheduleFields, withException, withoutException } from './schedule.ts'

type HolidaysProps = {
  communeId: string
  typed: ScheduleFields
  /** The schedule as it is previewed. */
  schedule: PreviewBody
  onChange: (changed: Partial<ScheduleFields>) => void
}

/** A collection every day: its preview names all public holidays. */
const everyDay = { jours: [...days], toutes_les_semaines: 1, rang: null, a_partir_du: null, dates: [] }

/** The public holidays of twelve months that fall on a collection, to decide in one place. Those that are decided stay. */
export function Holidays({ communeId, typed, schedule, onChange }: HolidaysProps) {
  const words = useTranslations('communes.calendar')
  const language = useLocale()
  const editing = useCommuneEditing()
  const today = todayInParis()
  const yearOf = (rounds: PreviewBody) => {
    const body = { ...rounds, exceptions: [], du: today, au: daysLater(today, 365) }
    return {
      queryKey: ['collecte-preview', communeId, body],
      queryFn: ({ signal }: { signal: AbortSignal }) => editing.preview(communeId, body, signal),
      select: ({ jours }: Preview) => jours.flatMap(({ date, jour_ferie }) => (jour_ferie ? date : [])),
      placeholderData: (before: Preview | undefined) => before,
      staleTime: 60_000,
      retry: false,
    }
  }
  const { data: shown = [] } = useQuery(yearOf(schedule))
  const { data: holidays } = useQuery(yearOf(everyDay))
  const exceptionOf = (date: string) => typed.exceptions.find((one) => one.date === date)
  const open = shown.filter((date) => exceptionOf(date) === undefined)
  if (shown.length === 0 || holidays === undefined) return null
  const inWords = (date: string) =>
    dayInWords(date, language, { weekday: 'long', day: 'numeric', month: 'long' })
  const decide = (dates: readonly string[], to: (date: string) => string | null) => {
    onChange(
      dates.reduce((all, date) => withException(all, date, to(date)), { exceptions: typed.exceptions }),
    )
  }
  const ways = [
    { name: 'kept', to: (date: string) => date },
    { name: 'nextDay', to: (date: string) => workingDayAfter(date, new Set(holidays)) },
    { name: 'dropped', to: () => null },
  ] as const
  return (
    <section className={styles.day} aria-label={words('holidays')}>
      <strong>{words('holidays')}</strong>
      <Soft>{words('holidaysHelp', { count: open.length })}</Soft>
      {open.length > 1 && (
        <Row>
          {ways.map(({ name, to }) => (
            <Button key={name} small onPress={() => decide(open, to)}>
              {words(`all.${name}`)}
            </Button>
          ))}
        </Row>
      )}
      <ul className={styles.holidays}>
        {shown.map((date) => {
          const exception = exceptionOf(date)
          return (
            <li key={date}>
              <span>
                {inWords(date)}
                {exception !== undefined && <Soft as="span"> : {outcomeOf(exception)}</Soft>}
              </span>
              <Row>
                {exception === undefined ? (
                  ways.map(({ name, to }) => (
                    <Button
                      key={name}
                      small
                      aria-label={words(`one.${name}`, { day: inWords(date) })}
                      onPress={() => decide([date], to)}
                    >
                      {words(`ways.${name}`)}
                    </Button>
                  ))
                ) : (
                  <Button
                    small
                    look="quiet"
                    aria-label={words('changeNamed', { day: inWords(date) })}
                    onPress={() => onChange(withoutException(typed, date))}
                  >
                    {words('change')}
                  </Button>
                )}
              </Row>
            </li>
          )
        })}
      </ul>
    </section>
  )

  function outcomeOf({ date, reportee_au }: ScheduleFields['exceptions'][number]): string {
    if (reportee_au === null) return words('states.supprimee')
    return reportee_au === date ? words('states.passage') : words('movedOn', { day: inWords(reportee_au) })
  }
}
