import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { countsQuery } from '../../shell/navigation/counts.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { perPage, plansQuery, queryOf, type Subscription, subscriptionsQuery, tones } from './queries.ts'
import { type SubscriptionsSearch, sorts, statuses } from './search.ts'

const route = getRouteApi('/signed-in/subscriptions')

export function SubscriptionsScreen() {
  const words = useTranslations('subscriptions')
  const search = route.useSearch()
  const navigate = useNavigate()
  const list = useQuery(subscriptionsQuery(search))
  const { data: counts } = useQuery(countsQuery)
  const failed = counts?.payment_events?.count ?? 0
  const show = (changed: SubscriptionsSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '/subscriptions', search: { ...before, ...changed } })
  }
  const nameOf = ({ id, acteur }: Subscription) => (
    <TitleLink to="/subscriptions/$id" params={{ id }}>
      {acteur?.nom ?? words('nobody')}
    </TitleLink>
  )
  const stateOf = (row: Subscription) => (
    <Row as="span">
      <Badge tone={tones[row.status]}>{words(`status.${row.status}`)}</Badge>
      {row.cancel_at_period_end && <Badge tone="warn">{words('ends')}</Badge>}
    </Row>
  )
  const untilOf = ({ current_period_end: until }: Subscription) =>
    until === null ? words('none') : <Time at={until} />
  const columns: TableColumn<Subscription>[] = [
    { id: 'acteur', title: words('acteur'), cell: nameOf },
    { id: 'plan', title: words('plan'), cell: ({ label }) => label ?? words('noPlan') },
    { id: 'state', title: words('state'), cell: stateOf },
    { id: 'until', title: words('paidUntil'), cell: untilOf },
  ]
  const narrow = (row: Subscription) => (
    <>
      {nameOf(row)}
      <Soft as="span">{row.label ?? words('noPlan')}</Soft>
      {stateOf(row)}
      <Soft as="span">
        {words('paidUntil')} : {untilOf(row)}
      </Soft>
    </>
  )
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ExportButton list="subscriptions" query={queryOf(search)} meta={list.data?.meta} />
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
          action={<Link to="/subscriptions/events">{words('seeFailed')}</Link>}
        >
          <p>{words('failedText')}</p>
        </Notice>
      )}
      <SubscriptionFilters search={search} onChange={show} />
      <QueryState query={list} lines={8} />
      {list.data && (
        <>
          <Table
            label={words('title')}
            columns={columns}
            narrow={narrow}
            items={list.data.data}
            empty={
              <Empty icon="star" title={words('empty.title')}>
                <p>{words('empty.text')}</p>
              </Empty>
            }
          />
          <ListPager list={list} perPage={perPage} />
        </>
      )}
    </Page>
  )
}

type FiltersProps = { search: SubscriptionsSearch; onChange: (changed: SubscriptionsSearch) => void }

function SubscriptionFilters({ search, onChange }: FiltersProps) {
  const words = useTranslations('subscriptions')
  const { data: plans = [] } = useQuery(plansQuery)
  return (
    <FilterRow>
      <FilterSelect
        label={words('state')}
        any={words('anyState')}
        value={search.status}
        onChange={(status) => onChange({ status })}
        options={statuses.map((value) => ({ value, label: words(`status.${value}`) }))}
      />
      <FilterSelect
        label={words('plan')}
        any={words('anyPlan')}
        value={search.plan}
        onChange={(plan) => onChange({ plan })}
        options={plans.map(({ plan, label }) => ({ value: plan, label }))}
      />
      <Select
        label={words('sort')}
        value={search.sort ?? 'created_at_desc'}
        onChange={(sort) => onChange({ sort: sort === 'created_at_desc' ? undefined : sort })}
        options={sorts.map((value) => ({ value, label: words(`sorts.${value}`) }))}
      />
    </FilterRow>
  )
}
