import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '../../shell/query-state.tsx'
import { noonOf } from '../../ui/moment.ts'
import { Section } from '../../ui/page.tsx'
import { type Day, seriesQuery } from './queries.ts'
import styles from './series.module.css'

const kinds = ['created', 'published', 'rejected', 'reported', 'claims', 'threads'] as const
type Kind = (typeof kinds)[number]

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
              <Chart key={kind} kind={kind} days={days} />
            ))}
          </div>
          <Figures days={days} />
        </>
      )}
    </Section>
  )
}

/** Sizes in SVG units; the drawing scales to the available width. */
const [slot, bar, height] = [10, 7, 48] as const

/** Chart with one bar per day. Each chart has its own scale: kinds differ by orders of magnitude. */
function Chart({ kind, days }: { kind: Kind; days: readonly Day[] }) {
  const words = useTranslations('series')
  const format = useFormatter()
  const total = days.reduce((sum, day) => sum + day[kind], 0)
  const most = Math.max(1, ...days.map((day) => day[kind]))
  const name = words(`kinds.${kind}`)
  const dayOf = useDay()
  const peak = days.find((day) => day[kind] === most)
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
        {days.map((day, index) => {
          // Keeps small non-zero values visible.
          const tall = day[kind] === 0 ? 0 : Math.max(2, (height * day[kind]) / most)
          return (
            <g key={day.day} className={styles.day}>
              <title>{words('onDay', { day: dayOf(day.day), count: day[kind] })}</title>
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

function Figures({ days }: { days: readonly Day[] }) {
  const words = useTranslations('series')
  const format = useFormatter()
  const dayOf = useDay()
  return (
    <details>
      <summary className={styles.summary}>{words('asTable')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <section className={styles.scrolled} aria-label={words('title')} tabIndex={0} data-scrolls-sideways>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words('day')}</th>
              {kinds.map((kind) => (
                <th key={kind} scope="col">
                  {words(`kinds.${kind}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{dayOf(day.day)}</th>
                {kinds.map((kind) => (
                  <td key={kind}>{format.number(day[kind])}</td>
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
