import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { countsQuery } from '../../shell/navigation/counts.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './dashboard.module.css'
import { FirstSteps } from './first-steps.tsx'
import { dashboardQuery } from './queries.ts'
import { Series } from './series.tsx'

const route = getRouteApi('/signed-in')

/** Screen for each kind of work. A kind without a screen has no link. */
const places = {
  publications: '/queue',
  reports: '/reports',
  claims: '/claims',
  threads: '/messages',
  mails: '/mails',
  runs: '/imports',
  payment_events: '/subscriptions/events',
} as const
/** Filters that leave what the figure counts, where the list shows more. */
const searches: Partial<Record<keyof typeof places, object>> = {
  runs: { view: 'runs', status: 'failed' },
  mails: { status: 'uncertain' },
}
const isPlace = (kind: string): kind is keyof typeof places => kind in places
const kinds = ['publications', 'reports', 'claims', 'threads', 'runs', 'payment_events', 'mails'] as const

/** Shows waiting work first, then totals. Omits figures that timed out in the service. */
export function DashboardScreen() {
  const words = useTranslations('dashboard')
  const counts = useQuery(countsQuery)
  const dashboard = useQuery(dashboardQuery)
  const { me } = route.useRouteContext()
  const { data } = dashboard
  const waiting = kinds.flatMap((kind) => {
    const count = counts.data?.[kind]
    return count === undefined ? [] : [{ kind, ...count }]
  })
  const mayModerate = me.areas.includes('publications')
  return (
    <Page title={words('title')}>
      <FirstSteps me={me} users={data?.users} />
      <Section title={words('waiting')}>
        <QueryState query={counts} lines={4} />
        {counts.data && waiting.every(({ count }) => count === 0) && (
          <Empty icon="check" title={words('allDone')}>
            <p>{words('allDoneText')}</p>
          </Empty>
        )}
        <div className={styles.figures}>
          {waiting
            .filter(({ count }) => count > 0)
            .map(({ kind, count, oldest_at }) => (
              <Figure key={kind} name={words(`kinds.${kind}`)} value={count}>
                {oldest_at && (
                  <span className={styles.name}>
                    {words('oldest')} <Ago at={oldest_at} />
                  </span>
                )}
                {isPlace(kind) && (
                  <Link to={places[kind]} search={searches[kind] ?? {}}>
                    {words(`open.${kind}`)}
                  </Link>
                )}
              </Figure>
            ))}
        </div>
      </Section>
      <Series />
      <QueryState query={dashboard} lines={4} />
      {data && (
        <Section title={words('all')}>
          <div className={styles.figures}>
            <Figure name={words('publications')} value={data.publications}>
              {mayModerate && <Link to="/publications">{words('open.list')}</Link>}
            </Figure>
            <Figure name={words('unscheduled')} value={data.publications_unscheduled}>
              {mayModerate && (
                <Link to="/publications" search={{ status: 'approved', only: 'hidden' }}>
                  {words('open.list')}
                </Link>
              )}
            </Figure>
            <Figure name={words('acteurs')} value={data.acteurs}>
              {me.areas.includes('acteurs') && <Link to="/acteurs">{words('open.list')}</Link>}
            </Figure>
            <Figure name={words('users')} value={data.users} />
          </div>
        </Section>
      )}
    </Page>
  )
}

type FigureProps = { name: string; value: number | undefined; children?: ReactNode }

function Figure({ name, value, children }: FigureProps) {
  const format = useFormatter()
  if (value === undefined) return null
  return (
    <div className={styles.figure}>
      <span className={styles.name}>{name}</span>
      <strong className={styles.value}>{format.number(value)}</strong>
      {value > 0 && children}
    </div>
  )
}
