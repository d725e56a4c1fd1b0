import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Reject } from '../../../shell/deciding/reject.tsx'
import { ExportButton } from '../../../shell/export-button.tsx'
import { useLastPage } from '../../../shell/last-page.ts'
import { canWrite } from '../../../shell/screens.ts'
import { useShortcuts } from '../../../shell/shortcuts.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Views } from '../../../shell/views/views.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty, Skeleton } from '../../../ui/empty.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Search } from '../../../ui/search.tsx'
import { Select } from '../../../ui/select.tsx'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { Ago } from '../../../ui/time.tsx'
import { useDecisions } from '../deciding/decisions.ts'
import { Status } from '../detail/status.tsx'
import { deleteMany, featureMany, type Listed, restoreMany } from '../queries.ts'
import styles from './list.module.css'
import { listQuery, perPage, queryOf } from './queries.ts'
import { type ListSearch, latestSearch, listSearch, marks, sorts, states } from './search.ts'

const route = getRouteApi('/signed-in/publications')

/** List of all publications in every state. The URL holds the filters. */
export function PublicationsScreen() {
  const words = useTranslations('publications')
  const common = useTranslations('queue')
  const { me } = route.useRouteContext()
  const search = route.useSearch()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isRejecting, setRejecting] = useState(false)
  useEffect(() => {
    latestSearch.value = search
  }, [search])
  const list = useQuery(listQuery(search))
  useLastPage(list, search.page, perPage)
  const open = (id: string) => void navigate({ to: '/publications/$id', params: { id } })
  const decisions = useDecisions({
    onUndone: () => {},
    onReview: open,
    onNothingToUndo: () => {},
    reloads: true,
  })
  const items = list.data?.data ?? []
  const several = items.filter(({ id }) => chosen.has(id))
  const show = (changed: ListSearch) => {
    setChosen(new Set())
    const { page: _, ...before } = search
    void navigate({ to: '/publications', search: { ...before, ...changed } })
  }
  const onSeveral = (deed: (rows: Listed[]) => void) => () => {
    deed(several)
    setChosen(new Set())
  }
  useShortcuts(words('title'), [{ key: 'u', label: common('undo'), run: decisions.undo }])
  const marksOf = (item: Listed) => (
    <span className={styles.badges}>
      <Status publication={item} />
      {item.en_avant && <Badge tone="accent">{words('featured')}</Badge>}
      {item.reports_open > 0 && <Badge tone="bad">{common('reports', { count: item.reports_open })}</Badge>}
    </span>
  )
  const titleOf = (item: Listed) => (
    <Link to="/publications/$id" params={{ id: item.id }} className={styles.title}>
      {item.titre}
    </Link>
  )
  // On a small screen, one column shows all values below the title.
  const whole: TableColumn<Listed> = {
    id: 'title',
    title: words('titre'),
    cell: (item) => (
      <div className={styles.whole}>
        {titleOf(item)}
        <span className={styles.line}>
          <span className={styles.who}>
            {[item.acteur?.nom ?? common('nobody'), item.commune?.nom].filter(Boolean).join(' · ')}
          </span>
          <Ago at={item.created_at} />
        </span>
        {marksOf(item)}
      </div>
    ),
  }
  const columns: TableColumn<Listed>[] = [
    { id: 'title', title: words('titre'), cell: titleOf },
    { id: 'acteur', title: common('acteur'), cell: ({ acteur }) => acteur?.nom ?? common('nobody') },
    { id: 'commune', title: common('commune'), cell: ({ commune }) => commune?.nom ?? common('none') },
    {
      id: 'state',
      title: words('state'),
      cell: marksOf,
    },
    { id: 'created', title: common('created'), cell: ({ created_at }) => <Ago at={created_at} /> },
  ]
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ExportButton list="publications" query={queryOf(search)} count={list.data?.meta.total} />
          {canWrite(me) && (
            <Button icon="edit" onPress={() => void navigate({ to: '/publications/new' })}>
              {words('write')}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.filters}>
        <Search label={words('search')} q={search.q ?? ''} onSearch={(q) => show({ q: q || undefined })} />
        <Select
          label={words('state')}
          value={search.status ?? 'all'}
          onChange={(value) => show({ status: value === 'all' ? undefined : value })}
          options={[
            { value: 'all' as const, label: words('anyState') },
            ...states.map((value) => ({ value, label: common(`status.${value}`) })),
          ]}
        />
        <Select
          label={words('only')}
          value={search.only ?? 'all'}
          onChange={(value) => show({ only: value === 'all' ? undefined : value })}
          options={[
            { value: 'all' as const, label: words('noMark') },
            ...marks.map((value) => ({ value, label: words(`mark.${value}`) })),
          ]}
        />
        <Select
          label={words('sort')}
          value={search.sort ?? 'created_at_desc'}
          onChange={(sort) => show({ sort: sort === 'created_at_desc' ? undefined : sort })}
          options={sorts.map((value) => ({ value, label: words(`sorts.${value}`) }))}
        />
      </div>
      <Views
        list="publications"
        read={listSearch}
        search={search}
        onOpen={(view) => {
          setChosen(new Set())
          void navigate({ to: '/publications', search: view })
        }}
      />
      {list.isPending && <Skeleton lines={10} />}
      {list.isError && <ShownFailure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <>
          {several.length > 0 && (
            <div role="status" className={styles.bulk}>
              <span>{common('chosen', { count: several.length })}</span>
              {search.status === 'deleted' ? (
                <Button small onPress={onSeveral((rows) => decisions.change(rows, () => restoreMany(rows)))}>
                  {words('restore')}
                </Button>
              ) : (
                <>
                  <Button
                    small
                    onPress={onSeveral((rows) => decisions.decideMany(rows, { status: 'published' }))}
                  >
                    {common('publish')}
                  </Button>
                  <Button small onPress={() => setRejecting(true)}>
                    {common('reject')}
                  </Button>
                  <Button
                    small
                    onPress={onSeveral((rows) => decisions.change(rows, () => featureMany(rows, true)))}
                  >
                    {words('feature')}
                  </Button>
                  <Button small onPress={onSeveral((rows) => decisions.change(rows, () => deleteMany(rows)))}>
                    {words('delete')}
                  </Button>
                </>
              )}
            </div>
          )}
          <Table
            label={words('title')}
            columns={isNarrow ? [whole] : columns}
            items={items}
            chosen={chosen}
            onChoose={setChosen}
            empty={
              <Empty icon="search" title={words('none')}>
                <Button small onPress={() => void navigate({ to: '/publications', search: {} })}>
                  {words('reset')}
                </Button>
              </Empty>
            }
          />
          <Pager
            page={search.page ?? 1}
            perPage={perPage}
            total={list.data.meta.total}
            onPage={(page) => void navigate({ to: '/publications', search: { ...search, page } })}
          />
        </>
      )}
      {isRejecting && (
        <Reject
          kind="rejection"
          title={common('rejectTitle', { count: several.length })}
          of={several.map(({ id }) => id)}
          onClose={() => setRejecting(false)}
          onReject={(reason, onSuccess) =>
            onSeveral((rows) => decisions.decideMany(rows, { status: 'rejected', reason }, onSuccess))()
          }
        />
      )}
    </Page>
  )
}
