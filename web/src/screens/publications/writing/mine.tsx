import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ListPager } from '../../../shell/lists/list-pager.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { ScreenLink, TitleLink } from '../../../shell/records/links.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { FilterRow } from '../../../ui/filter-row.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Page } from '../../../ui/page.tsx'
import { Search } from '../../../ui/search.tsx'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { Ago } from '../../../ui/time.tsx'
import { Status } from '../detail/status.tsx'
import { type Member, mineQuery, perPage } from './queries.ts'
import { type MineSearch, ownStates } from './search.ts'

const route = getRouteApi('/signed-in/publications/mine')
/** List of what the user's acteurs have published, in every state. */
export function OwnPublicationsScreen() {
  const words = useTranslations('writing')
  const lists = useTranslations('publications')
  const common = useTranslations('queue')
  const search = route.useSearch()
  const navigate = useNavigate()
  const list = useQuery(mineQuery(search))
  const show = (changed: MineSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '/publications/mine', search: { ...before, ...changed } })
  }
  const titleOf = ({ id, titre }: Member) => (
    <TitleLink to="/publications/$id" params={{ id }}>
      {titre}
    </TitleLink>
  )
  const acteurOf = ({ acteur }: Member) => acteur?.nom ?? common('nobody')
  const columns: TableColumn<Member>[] = [
    { id: 'title', title: words('titre'), cell: titleOf },
    { id: 'acteur', title: words('acteur'), cell: acteurOf },
    { id: 'state', title: lists('state'), cell: (one) => <Status publication={one} /> },
    { id: 'created', title: words('own.created'), cell: ({ created_at }) => <Ago at={created_at} /> },
  ]
  const narrow = (one: Member) => (
    <>
      {titleOf(one)}
      <Row as="span">
        <Status publication={one} />
        <span>{acteurOf(one)}</span>
        <Ago at={one.created_at} />
      </Row>
    </>
  )
  const isFiltered = search.q !== undefined || search.status !== undefined
  const write = (
    <ScreenLink look="primary" icon="edit" to="/publications/new">
      {lists('write')}
    </ScreenLink>
  )
  return (
    <Page title={words('own.title')} actions={write}>
      <FilterRow>
        <Search label={lists('search')} q={search.q ?? ''} onSearch={(q) => show({ q: q || undefined })} />
        <FilterSelect
          label={lists('state')}
          any={lists('anyState')}
          value={search.status}
          onChange={(status) => show({ status })}
          options={ownStates.map((value) => ({ value, label: common(`status.${value}`) }))}
        />
      </FilterRow>
      <QueryState query={list} lines={8} />
      {list.data && (
        <>
          <Table
            label={words('own.title')}
            columns={columns}
            narrow={narrow}
            items={list.data.data}
            empty={
              isFiltered ? (
                <Empty icon="search" title={lists('none')}>
                  <Button small onPress={() => void navigate({ to: '/publications/mine', search: {} })}>
                    {lists('reset')}
                  </Button>
                </Empty>
              ) : (
                <Empty icon="edit" title={words('own.empty.title')}>
                  <p>{words('own.empty.text')}</p>
                  <Link to="/publications/new">{words('newTitle')}</Link>
                </Empty>
              )
            }
          />
          <ListPager list={list} perPage={perPage} hidesSinglePage />
        </>
      )}
    </Page>
  )
}
