import type { ComponentProps, ReactNode } from 'react'
import { useLocale } from 'use-intl'
import { dayInWords, weekdayOf, weeksOf } from './days.ts'

type MonthProps = Omit<ComponentProps<'table'>, 'children'> & {
  month: string
  caption?: string
  /** Returns the cell of a day; whole weeks have some of the months beside. */
  cellOf: (date: string) => ReactNode
}

/** Table of a month: a row for each week below the weekdays. */
export function MonthTable({ month, caption, cellOf, ...table }: MonthProps) {
  const language = useLocale()
  const weeks = weeksOf(month)
  return (
    <table {...table}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {weeks[0]?.map((date) => (
            <th key={weekdayOf(date)} scope="col" abbr={dayInWords(date, language, { weekday: 'long' })}>
              {dayInWords(date, language, { weekday: 'narrow' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>{week.map(cellOf)}</tr>
        ))}
      </tbody>
    </table>
  )
}
