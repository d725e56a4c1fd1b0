import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { countsQuery, isLate, lateComplaintsQuery } from '../../shell/navigation/counts.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './dashboard.module.css'
import { FirstSteps } from './first-steps.tsx'
import { type Day, dashboardQuery, seriesQuery } from './queries.ts'
import { Series } from './series.tsx'

const route = getRouteApi('/signed-in')

/** Work that arrives: its screen, and the series that shows how much of it arrives every day. */
const work = {
  publications: { to: '/queue', arrivals: 'created' },
  reports: { to: '/reports', arrivals: 'reported' },
  complaints: { to: '/complaints', arrivals: null },
  claims: { to: '/claims', arrivals: 'claims' },
  threads: { to: '/messages', arrivals: 'threads' },
} as const

/** What went wrong: the screen with the filters that leave what the figure counts. */
const faults = {
  runs: { to: '/imports', search: { view: 'runs', status: 'failed' }, icon: 'feed' },
  payment_events: { to: '/subscriptions/events', search: {}, icon: 'card' },
  mails: { to: '/mails', search: { status: 'uncertain' }, icon: 'mail' },
} as const

const namesOf = <Kinds extends object>(kinds: Kinds) => Object.keys(kinds) as (keyof Kinds & string)[]

/** Shows waiting work first, then what went wrong, then the last thirty days. */
export function DashboardScreen() {
  const words = useTranslations('dashboard')
  const counts = useQuery(countsQuery)
  const dashboard = useQuery(dashboardQuery)
  const { me } = route.useRouteContext()
  const waits = (kind: keyof NonNullable<typeof counts.data>) => (counts.data?.[kind]?.count ?? 0) > 0
  const waiting = namesOf(work).filter(waits)
  const failed = namesOf(faults).filter(waits)
  const undated = me.areas.includes('publications') ? (dashboard.data?.publications_unscheduled ?? 0) : 0
  const failing = dashboard.data?.transports_failing ?? 0
  return (
    <Page title={words('title')}>
      <FirstSteps me={me} users={dashboard.data?.users} />
      <Section title={words('waiting')}>
        <QueryState query={counts} lines={4} />
        {counts.data && waiting.length === 0 && failing === 0 && (
          <Empty icon="check" title={words('allDone')}>
            <p>{words('allDoneText')}</p>
          </Empty>
        )}
        <div className={styles.cards}>
          {waiting.map((kind) => (
            <Card key={kind} kind={kind} {...counts.data?.[kind]} />
          ))}
        </div>
        <QueryState query={dashboard} lines={1} />
        <Lines label={words('faults')}>
          {failing > 0 && (
            <OneLine
              icon="error"
              title={words('transports')}
              badge={<Badge tone="bad">{words('transportsBadge')}</Badge>}
              note={words('transportsNote')}
              actions={<Link to="/system">{words('open.transports')}</Link>}
            />
          )}
          {failed.map((kind) => (
            <OneLine
              key={kind}
              icon={faults[kind].icon}
              title={words(`faultsOf.${kind}`, { count: counts.data?.[kind]?.count ?? 0 })}
              actions={
                <Link to={faults[kind].to} search={faults[kind].search}>
                  {words(`open.${kind}`)}
                </Link>
              }
            />
          ))}
          {undated > 0 && (
            <OneLine
              icon="clock"
              title={words('undated', { count: undated })}
              actions={
                <Link to="/publications" search={{ status: 'approved', only: 'hidden' }}>
                  {words('open.undated')}
                </Link>
              }
            />
          )}
        </Lines>
      </Section>
      <Series />
    </Page>
  )
}

type CardProps = { kind: keyof typeof work; count?: number; oldest_at?: string | null }

/** Number of waiting items, which leads to them, with what arrived in the last two weeks. */
function Card({ kind, count = 0, oldest_at }: CardProps) {
  const words = useTranslations('dashboard')
  const format = useFormatter()
  const { to, arrivals } = work[kind]
  return (
    <Link to={to} className={styles.card}>
      <span>{words(`kinds.${kind}`)}</span>
      <strong className={styles.value}>{format.number(count)}</strong>
      {oldest_at && (
        <span>
          {words('oldest')} <Ago at={oldest_at} />
        </span>
      )}
      {arrivals && <Trend kind={arrivals} />}
      {kind === 'complaints' && oldest_at && isLate(oldest_at) && <LateComplaints />}
    </Link>
  )
}

/** How many open complaints are late. */
function LateComplaints() {
  const words = useTranslations('dashboard')
  const { data: count } = useQuery(lateComplaintsQuery)
  if (!count) return null
  return (
    <span>
      <Badge tone="bad">{words('lateComplaints', { count })}</Badge>
    </span>
  )
}

type TrendProps = { kind: Exclude<keyof Day, 'day'> }

/** Compares the arrivals of the last week with those of the week before, as a small line and as text. */
function Trend({ kind }: TrendProps) {
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
