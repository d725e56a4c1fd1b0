import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { QueryState } from '../../shell/query-state.tsx'
import { DaysChart, DaysTable } from '../../ui/days.tsx'
import { Section } from '../../ui/page.tsx'
import { seriesQuery } from './queries.ts'
import styles from './series.module.css'

const kinds = ['created', 'published', 'rejected', 'reported', 'claims', 'threads'] as const

/** Figures of the last thirty days, as one small chart per kind of which there were any, and as a table. */
export function Series() {
  const words = useTranslations('series')
  const { data: days, ...loaded } = useQuery(seriesQuery)
  const shown = kinds.filter((kind) => days?.some((day) => day[kind] > 0))
  if (days && shown.length === 0) return null
  return (
    <Section title={words('title')}>
      <QueryState query={loaded} lines={6} />
      {days && (
        <>
          <div className={styles.charts}>
            {shown.map((kind) => (
              <DaysChart
                key={kind}
                name={words(`kinds.${kind}`)}
                days={days.map((day) => ({ day: day.day, count: day[kind] }))}
              />
            ))}
          </div>
          <DaysTable
            title={words('title')}
            columns={kinds.map((kind) => ({ id: kind, title: words(`kinds.${kind}`) }))}
            days={days}
          />
        </>
      )}
    </Section>
  )
}
