import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { countsQuery } from '../../shell/counts.ts'
import { ExportButton } from '../../shell/export-button.tsx'
import { useLastPage } from '../../shell/last-page.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/empty.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Select } from '../../ui/select.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { perPage, plansQuery, queryOf, type Subscription, subscriptionsQuery, tones } from './queries.ts'
import { type SubscriptionsSearch, sorts, statuses } from './search.ts'
import styles from './subscriptions.module.css'

const route = getRouteApi('/signed-in/subscriptions')

export function SubscriptionsScreen() {
  const words = useTranslations('subscriptions')
  const search = route.useSearch()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const list = useQuery(subscriptionsQuery(search))
  useLastPage(list, search.page, perPage)
  const { data: plans = [] } = useQuery(plansQuery)
  const { data: counts } = useQuery(countsQuery)
  const failed = counts?.payment_events?.count ?? 0
  const show = (changed: { [Name in keyof SubscriptionsSearch]: SubscriptionsSearch[Name] | undefined }) => {
    const { page: _, ...before } = search
    void navigate({ to: '/subscriptions', search: { ...before, ...changed } as SubscriptionsSearch })
  }
  const nameOf = ({ id, acteur }: Subscription) => (
    <Link to="/subscriptions/$id" params={{ id }} className={styles.title}>
      {acteur?.nom ?? words('nobody')}
    </Link>
  )
  const stateOf = (row: Subscription) => (
    <span className={styles.badges}>
      <Badge tone={tones[row.status]}>{words(`status.${row.status}`)}</Badge>
      {row.cancel_at_period_end && <Badge tone="warn">{words('ends')}</Badge>}
    </span>
  )
  const untilOf = ({ current_period_end: until }: Subscription) =>
    until === null ? words('none') : <Time at={until} />
  const columns: TableColumn<Subscription>[] = [
    { id: 'acteur', title: words('acteur'), cell: nameOf },
    { id: 'plan', title: words('plan'), cell: ({ label }) => label ?? words('noPlan') },
    { id: 'state', title: words('state'), cell: stateOf },
    { id: 'until', title: words('paidUntil'), cell: untilOf },
  ]
  const whole: TableColumn<Subscription> = {
    id: 'acteur',
    title: words('acteur'),
    cell: (row) => (
      <div className={styles.whole}>
        {nameOf(row)}
        <span className={styles.soft}>{row.label ?? words('noPlan')}</span>
        {stateOf(row)}
      </div>
    ),
  }
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ExportButton list="subscriptions" query={queryOf(search)} count={list.data?.meta.total} />
          <Button icon="history" onPress={() => void navigate({ to: '/subscriptions/events' })}>
            {words('events.title')}
          </Button>
        </>
      }
    >
      {failed > 0 && (
        <Notice
          tone="warn"
          title={words('failed', { count: failed })}
          action={
            <Link to="/subscriptions/events" className={styles.link}>
              {words('seeFailed')}
            </Link>
          }
        >
          <p>{words('failedText')}</p>
        </Notice>
      )}
      <search className={styles.filters}>
        <Select
          label={words('state')}
          value={search.status ?? 'all'}
          onChange={(status) => show({ status: status === 'all' ? undefined : status })}
          options={[
            { value: 'all' as const, label: words('anyState') },
            ...statuses.map((value) => ({ value, label: words(`status.${value}`) })),
          ]}
        />
        <Select
          label={words('plan')}
          value={search.plan ?? ''}
          onChange={(plan) => show({ plan: plan || undefined })}
          options={[
            { value: '', label: words('anyPlan') },
            ...plans.map(({ plan, label }) => ({ value: plan, label })),
          ]}
        />
        <Select
          label={words('sort')}
          value={search.sort ?? 'created_at_desc'}
          onChange={(sort) => show({ sort: sort === 'created_at_desc' ? undefined : sort })}
          options={sorts.map((value) => ({ value, label: words(`sorts.${value}`) }))}
        />
      </search>
      {list.isPending && <Skeleton lines={8} />}
      {list.isError && <ShownFailure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <>
          <Table
            label={words('title')}
            columns={isNarrow ? [whole] : columns}
            items={list.data.data}
            empty={
              <Empty icon="star" title={words('empty.title')}>
                <p>{words('empty.text')}</p>
              </Empty>
            }
          />
          <Pager
            page={search.page ?? 1}
            perPage={perPage}
            total={list.data.meta.total}
            onPage={(page) => void navigate({ to: '/subscriptions', search: { ...search, page } })}
          />
        </>
      )}
    </Page>
  )
}
