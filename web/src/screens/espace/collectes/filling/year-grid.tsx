import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { cx } from '../../../../ui/cx.ts'
import { dayOf, nextDay } from '../../../communes/collectes/calendar.tsx'
import { dayInWords, monthOf } from '../../../communes/collectes/days.ts'
import { MonthTable } from '../../../communes/collectes/month-table.tsx'
import months from '../months.module.css'
import { firstDay, lastDay, monthsOf } from './grid.ts'
import styles from './year-grid.module.css'

type YearProps = {
  from: string
  chosen: ReadonlySet<string>
  /** Names of the other collections of a day. */
  others: ReadonlyMap<string, readonly string[]>
  holidays: ReadonlySet<string>
  /** The day in the tab order. */
  at: string
  onMove: (day: string) => void
  onToggle: (day: string) => void
}

/** Twelve months in which each day is a button. One day is in the tab order; arrows and Page Up, Page Down move to another. */
export function YearGrid({ at, from, onMove, ...days }: YearProps) {
  const grid = useRef<HTMLDivElement>(null)
  const hasMoved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    hasMoved.current = false
  }, [at])
  const move = (event: KeyboardEvent) => {
    const next = nextDay(event, at)
    if (next === null) return
    event.preventDefault()
    if (next < firstDay(from) || next > lastDay(from)) return
    hasMoved.current = true
    onMove(next)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons inside
    <div ref={grid} className={months.months} onKeyDown={move}>
      {monthsOf(from).map((month) => (
        <Month key={month} month={month} at={at} {...days} />
      ))}
    </div>
  )
}

type MonthProps = Omit<YearProps, 'from' | 'onMove'> & { month: string }

function Month({ month, chosen, others, holidays, at, onToggle }: MonthProps) {
  const words = useTranslations('espace.collectes.fill')
  const language = useLocale()
  const title = dayInWords(`${month}-01`, language, { month: 'long', year: 'numeric' })
  const nameOf = (date: string) => {
    const also = others.get(date)?.join(', ')
    return [
      dayInWords(date, language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
      ...(holidays.has(date) ? [words('holiday')] : []),
      ...(also === undefined ? [] : [words('also', { names: also })]),
    ].join(', ')
  }
  return (
    <MonthTable
      role="grid"
      aria-label={title}
      month={month}
      className={months.month}
      caption={title}
      cellOf={(date) => (
        <td key={date}>
          {monthOf(date) === month && (
            <button
              type="button"
              tabIndex={date === at ? 0 : -1}
              aria-label={nameOf(date)}
              aria-pressed={chosen.has(date)}
              className={cx(
                styles.day,
                holidays.has(date) && styles.holiday,
                others.has(date) && styles.other,
                chosen.has(date) && styles.chosen,
              )}
              onClick={() => onToggle(date)}
            >
              {dayOf(date, language)}
            </button>
          )}
        </td>
      )}
    />
  )
}

/** Explains the looks of the days. */
export function YearLegend() {
  const words = useTranslations('espace.collectes.fill.legend')
  return (
    <ul className={months.legend}>
      {(['chosen', 'other', 'holiday'] as const).map((look) => (
        <li key={look}>
          <span aria-hidden="true" className={cx(styles.day, styles.sample, styles[look])}>
            1
          </span>
          {words(look)}
        </li>
      ))}
    </ul>
  )
}
