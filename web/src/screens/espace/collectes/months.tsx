import { useLocale, useTranslations } from 'use-intl'
import { cx } from '../../../ui/cx.ts'
import { dayInWords, monthOf, monthsLater } from '../../communes/collectes/days.ts'
import { MonthTable } from '../../communes/collectes/month-table.tsx'
import styles from './months.module.css'
import type { CalendarOf } from './queries.ts'

type Change = CalendarOf['jours'][number]['change']
const signs = { added: '+', removed: '−', same: '' } satisfies Record<Change, string>

type MonthsProps = { from: string; days: CalendarOf['jours'] }

/** Twelve months of a collection: which days come, go and stay, by colour and by sign. */
export function Months({ from, days }: MonthsProps) {
  const byDate = new Map(days.map(({ date, change }) => [date, change]))
  const months = Array.from({ length: 12 }, (_, index) => monthOf(monthsLater(`${monthOf(from)}-01`, index)))
  return (
    <div className={styles.months}>
      {months.map((month) => (
        <Month key={month} month={month} byDate={byDate} />
      ))}
    </div>
  )
}

function Month({ month, byDate }: { month: string; byDate: ReadonlyMap<string, Change> }) {
  const words = useTranslations('espace.collectes.days')
  const language = useLocale()
  return (
    <MonthTable
      month={month}
      className={styles.month}
      caption={dayInWords(`${month}-01`, language, { month: 'long', year: 'numeric' })}
      cellOf={(date) => {
        const change = monthOf(date) === month ? byDate.get(date) : undefined
        return (
          <td
            key={date}
            className={cx(change && styles[change])}
            {...(change && { title: words(change), 'data-change': change })}
          >
            {monthOf(date) === month && `${change ? signs[change] : ''}${Number(date.slice(8))}`}
          </td>
        )
      }}
    />
  )
}

/** What the colours and signs of the months say. */
export function MonthsLegend() {
  const words = useTranslations('espace.collectes.days')
  return (
    <ul className={styles.legend}>
      {(['added', 'removed', 'same'] as const).map((change) => (
        <li key={change}>
          <span aria-hidden="true" className={cx(styles.sample, styles[change])}>
            {signs[change]}1
          </span>
          {words(change)}
        </li>
      ))}
    </ul>
  )
}
