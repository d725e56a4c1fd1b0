import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import type { Preview } from '../queries.ts'
import styles from './calendar.module.css'
import { dayInWords, daysLater, monthOf, monthsLater, weekdayOf } from './days.ts'
import { MonthTable } from './month-table.tsx'

type Day = Preview['jours'][number]
type CalendarProps = {
  label: string
  days: readonly Day[]
  today: string
  /** The chosen day, whose month is shown. */
  chosen: string
  onChoose: (day: string) => void
}

/**
 * A month with its collections. One day is in the tab order; arrows, Home, End, Page Up and Page Down move to
 * another.
 */
export function Calendar({ label, days, today, chosen, onChoose }: CalendarProps) {
  const words = useTranslations('communes.calendar')
  const language = useLocale()
  const grid = useRef<HTMLTableElement>(null)
  const hasMoved = useRef(false)
  const month = monthOf(chosen)
  const byDate = new Map(days.map((day) => [day.date, day]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the chosen day
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    hasMoved.current = false
  }, [chosen])
  const move = (event: KeyboardEvent) => {
    const next = nextDay(event, chosen)
    if (next === null) return
    event.preventDefault()
    hasMoved.current = true
    onChoose(next)
  }
  const nameOf = (date: string) => {
    const day = byDate.get(date)
    const states = [
      day ? words(`states.${day.etat}`) : words('states.none'),
      ...(day?.jour_ferie ? [words('holiday')] : []),
    ]
    return `${dayInWords(date, language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}, ${states.join(', ')}`
  }
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton icon="back" label={words('before')} onPress={() => onChoose(monthsLater(chosen, -1))} />
        <strong aria-live="polite">{dayInWords(chosen, language, { month: 'long', year: 'numeric' })}</strong>
        <IconButton icon="right" label={words('after')} onPress={() => onChoose(monthsLater(chosen, 1))} />
      </div>
      <MonthTable
        ref={grid}
        role="grid"
        aria-label={label}
        month={month}
        className={styles.grid}
        onKeyDown={move}
        cellOf={(date) => {
          const day = byDate.get(date)
          return (
            <td key={date}>
              {monthOf(date) === month && (
                <button
                  type="button"
                  tabIndex={date === chosen ? 0 : -1}
                  aria-label={nameOf(date)}
                  aria-pressed={date === chosen}
                  aria-current={date === today ? 'date' : undefined}
                  className={cx(
                    styles.day,
                    day && styles[day.etat],
                    day?.jour_ferie && styles.holiday,
                    date === chosen && styles.chosen,
                  )}
                  onClick={() => onChoose(date)}
                >
                  {dayOf(date, language)}
                </button>
              )}
            </td>
          )
        }}
      />
      <ul className={styles.legend}>
        {(['passage', 'reportee_ici', 'supprimee'] as const).map((etat) => (
          <li key={etat}>
            <span aria-hidden="true" className={cx(styles.day, styles.sample, styles[etat])} />
            {words(`states.${etat}`)}
          </li>
        ))}
        <li>
          <span
            aria-hidden="true"
            className={cx(styles.day, styles.sample, styles.passage, styles.holiday)}
          />
          {words('holiday')}
        </li>
      </ul>
    </div>
  )
}

/** Returns the day to which a key moves in a calendar; null for any other key. */
export function nextDay({ key, shiftKey }: KeyboardEvent, day: string): string | null {
  if (key === 'ArrowLeft') return daysLater(day, -1)
  if (key === 'ArrowRight') return daysLater(day, 1)
  if (key === 'ArrowUp') return daysLater(day, -7)
  if (key === 'ArrowDown') return daysLater(day, 7)
  if (key === 'Home') return daysLater(day, -weekdayOf(day))
  if (key === 'End') return daysLater(day, 6 - weekdayOf(day))
  if (key === 'PageUp') return monthsLater(day, shiftKey ? -12 : -1)
  if (key === 'PageDown') return monthsLater(day, shiftKey ? 12 : 1)
  return null
}

/** Number of a day, as its name has it: French says "1er". */
export const dayOf = (date: string, language: string) => {
  const number = Number(date.slice(8))
  return language === 'fr' && number === 1 ? '1er' : number
}
