import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type Day, seriesQuery } from './queries.ts'
import styles from './trend.module.css'

type TrendProps = { kind: Exclude<keyof Day, 'day'> }

/** What arrived in the last week beside the week before, as a small line and in words. */
export function Trend({ kind }: TrendProps) {
  const words = useTranslations('dashboard')
  const { data: days } = useQuery(seriesQuery)
  // Keeps its place, so that the cards do not grow when the figures arrive.
  if (days === undefined) return <span className={styles.trend} aria-hidden="true" />
  const values = days.map((day) => day[kind])
  const sum = (from: number, to?: number) => values.slice(from, to).reduce((total, value) => total + value, 0)
  const most = Math.max(1, ...values)
  const points = values.map((value, index) => `${index},${10 - (10 * value) / most}`).join(' ')
  return (
    <span className={styles.trend}>
      {values.some((value) => value > 0) && (
        <svg
          className={styles.line}
          viewBox={`0 -1 ${values.length - 1} 12`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <polyline points={points} />
        </svg>
      )}
      <span>{words('trend', { now: sum(-7), before: sum(-14, -7) })}</span>
    </span>
  )
}
