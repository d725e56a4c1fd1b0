import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useChosen } from '../../../shell/lists/chosen.ts'
import { ExportButton } from '../../../shell/lists/export-button.tsx'
import { ListPager } from '../../../shell/lists/list-pager.tsx'
import { SelectAll } from '../../../shell/lists/select-all.tsx'
import { Views } from '../../../shell/lists/views/views.tsx'
import { canWriteForAll } from '../../../shell/navigation/screens.ts'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { TitleLink } from '../../../shell/records/links.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Filters } from '../../../ui/filters.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Page } from '../../../ui/page.tsx'
import { Search } from '../../../ui/search.tsx'
import { Select } from '../../../ui/select.tsx'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { Ago } from '../../../ui/time.tsx'
import { useDecisions } from '../deciding/decisions.ts'
import { Status } from '../detail/status.tsx'
import { noFilters, optionFilter, usePublicationFilters } from '../filters.tsx'
import { type ListedPublication, readMatchingPublications } from '../queries.ts'
import styles from './list.module.css'
import { listQuery, perPage, queryOf } from './queries.ts'
import { type ListSearch, latestSearch, listSearch, marks, sorts, states } from './search.ts'
import { Several } from './several.tsx'

const route = getRouteApi('/signed-in/publications')

/** List of all publications in every state. The URL holds the filters. */
export function PublicationsScreen() {
  const words = useTranslations('publications')
  const common = useTranslations('queue')
  const { me } = route.useRouteContext()
  const search = route.useSearch()
  const navigate = useNavigate()
  useEffect(() => {
    latestSearch.value = search
  }, [search])
  const list = useQuery(listQuery(search))
  const open = (id: string) => void navigate({ to: '/publications/$id', params: { id } })
  const decisions = useDecisions({
    onUndone: () => {},
    onReview: open,
    onNothingToUndo: () => {},
    reloads: true,
    onLeft: (rows) => chooseAgain(rows),
  })
  const { chosen, setChosen, rows: several, clear, choose, chooseAgain } = useChosen(list.data?.data ?? [])
  const show = (changed: ListSearch) => {
    clear()
    const { page: _, ...before } = search
    void navigate({ to: '/publications', search: { ...before, ...changed } })
  }
  const shared = usePublicationFilters(search, show)
  const filters = [
    optionFilter({
      id: 'status',
      label: words('state'),
      value: search.status,
      onChange: (status) => show({ status }),
      options: states.map((value) => ({ value, label: common(`status.${value}`) })),
    }),
    ...shared,
    optionFilter({
      id: 'only',
      label: words('only'),
      value: search.only,
      onChange: (only) => show({ only }),
      options: marks.map((value) => ({ value, label: words(`mark.${value}`) })),
    }),
  ]
  useShortcuts(words('title'), [{ key: 'u', label: common('undo'), run: decisions.undo }])
  const { columns, narrow } = useColumns()
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ExportButton list="publications" query={queryOf(search)} meta={list.data?.meta} />
          {canWriteForAll(me) && (
            <Button icon="edit" onPress={() => void navigate({ to: '/publications/new' })}>
              {words('write')}
            </Button>
          )}
        </>
      }
    >
      <Filters
        search={
          <Search label={words('search')} q={search.q ?? ''} onSearch={(q) => show({ q: q || undefined })} />
        }
        filters={filters}
        onClear={() => show({ status: undefined, only: undefined, ...noFilters })}
        sort={
          <Select
            quietLabel
            label={words('sort')}
            value={search.sort ?? 'created_at_desc'}
            onChange={(sort) => show({ sort: sort === 'created_at_desc' ? undefined : sort })}
            options={sorts.map((value) => ({ value, label: words(`sorts.${value}`) }))}
          />
        }
      />
      <Views
        list="publications"
        read={listSearch}
        search={search}
        onOpen={(view) => {
          clear()
          void navigate({ to: '/publications', search: view })
        }}
      />
      <QueryState query={list} lines={10} />
      {list.data && (
        <>
          <Table
            label={words('title')}
            columns={columns}
            narrow={narrow}
            items={list.data.data}
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
          <Several
            rows={several}
            isDeleted={search.status === 'deleted'}
            decisions={decisions}
            selectAll={
              <SelectAll
                count={several.length}
                meta={list.data.meta}
                read={() => readMatchingPublications(queryOf(search))}
                onSelect={choose}
              />
            }
            onDone={clear}
          />
          <ListPager list={list} perPage={perPage} />
        </>
      )}
    </Page>
  )
}

/** What the list shows of a publication, in columns or on a narrow screen. */
function useColumns() {
  const words = useTranslations('publications')
  const common = useTranslations('queue')
  const marksOf = (item: ListedPublication) => (
    <Row as="span">
      <Status publication={item} />
      {item.en_avant && <Badge tone="accent">{words('featured')}</Badge>}
      {item.reports_open > 0 && <Badge tone="bad">{common('reports', { count: item.reports_open })}</Badge>}
    </Row>
  )
  const titleOf = (item: ListedPublication) => (
    <TitleLink to="/publications/$id" params={{ id: item.id }}>
      {item.titre}
    </TitleLink>
  )
  const narrow = (item: ListedPublication) => (
    <>
      {titleOf(item)}
      <span className={styles.line}>
        <span className={styles.who}>
          {[item.acteur?.nom ?? common('nobody'), item.commune?.nom].filter(Boolean).join(' · ')}
        </span>
        <Ago at={item.created_at} />
      </span>
      {marksOf(item)}
    </>
  )
  const columns: TableColumn<ListedPublication>[] = [
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
  return { columns, narrow }
}
