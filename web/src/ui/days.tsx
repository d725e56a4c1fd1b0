import { useFormatter, useTranslations } from 'use-intl'
import styles from './days.module.css'
import { noonOf } from './moment.ts'

/** Sizes in SVG units; the drawing scales to the available width. */
const [slot, bar, height] = [10, 7, 48] as const

type ChartProps = { name: string; days: readonly { day: string; count: number }[] }

/** Chart with one bar per day of the last ones, on a scale of its own: kinds differ by orders of magnitude. */
export function DaysChart({ name, days }: ChartProps) {
  const words = useTranslations('days')
  const format = useFormatter()
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(1, ...days.map(({ count }) => count))
  const dayOf = useDay()
  const peak = days.find(({ count }) => count === most)
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <span>{name}</span>
        <strong>{format.number(total)}</strong>
      </figcaption>
      <svg
        className={styles.drawing}
        viewBox={`0 0 ${days.length * slot} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words('peak', { name, total, most, day: dayOf(peak?.day ?? '') })}
      >
        {days.map(({ day, count }, index) => {
          // Keeps small non-zero values visible.
          const tall = count === 0 ? 0 : Math.max(2, (height * count) / most)
          return (
            <g key={day} className={styles.day}>
              <title>{words('onDay', { day: dayOf(day), count })}</title>
              <rect className={styles.space} x={index * slot} width={slot} height={height} />
              <rect className={styles.bar} x={index * slot} y={height - tall} width={bar} height={tall} />
            </g>
          )
        })}
      </svg>
      <span className={styles.ends} aria-hidden="true">
        <span>{days[0] && dayOf(days[0].day)}</span>
        <span>{words('today')}</span>
      </span>
    </figure>
  )
}

type TableProps<Key extends string> = {
  title: string
  columns: readonly { id: Key; title: string }[]
  days: readonly ({ day: string } & Record<Key, number>)[]
}

/** The figures of charts as a table, folded, the newest day first. */
export function DaysTable<Key extends string>({ title, columns, days }: TableProps<Key>) {
  const words = useTranslations('days')
  const format = useFormatter()
  const dayOf = useDay()
  return (
    <details>
      <summary className={styles.summary}>{words('asTable')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <section className={styles.scrolled} aria-label={title} tabIndex={0} data-scrolls-sideways>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words('day')}</th>
              {columns.map(({ id, title }) => (
                <th key={id} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{dayOf(day.day)}</th>
                {columns.map(({ id }) => (
                  <td key={id}>{format.number(day[id])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

function useDay() {
  const format = useFormatter()
  return (day: string) => format.dateTime(noonOf(day), { day: 'numeric', month: 'short' })
}
