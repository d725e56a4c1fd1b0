import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { DeletedList } from '../../shell/deleted/deleted-list.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { ScreenLink, TitleLink } from '../../shell/records/links.tsx'
import { useFieldLabels } from '../../shell/records/publication-fields.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Row } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { Search } from '../../ui/search.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { lacksDescription } from '../publications/detail/picture.ts'
import { Status } from '../publications/detail/status.tsx'
import { useActeur } from './acteur.ts'
import {
  deletedPublicationsQuery,
  type Member,
  ownPublicationsQuery,
  perPage,
  restorePublication,
} from './queries.ts'
import { isMairie, mayPublish, maySupervise, mayWrite } from './rights.ts'
import { type OwnSearch, ownStates } from './search.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/publications')

/** List of what an acteur has published, in every state. */
export function OwnPublicationsScreen() {
  const words = useTranslations('writing')
  const labelOf = useFieldLabels()
  const lists = useTranslations('publications')
  const common = useTranslations('queue')
  const space = useTranslations('espace')
  const search = route.useSearch()
  const acteur = useActeur()
  const { acteur_id: acteurId } = acteur
  const navigate = useNavigate()
  const list = useQuery(ownPublicationsQuery(acteurId, search))
  const show = (changed: OwnSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '.', search: { ...before, ...changed } })
  }
  const titleOf = ({ id, titre }: Member) => (
    <TitleLink to="/espace/$acteurId/publications/$id" params={{ acteurId, id }}>
      {titre}
    </TitleLink>
  )
  const stateOf = (one: Member) => (
    <Row as="span">
      <Status publication={one} />
      {one.hidden_in.length > 0 && (
        <Badge tone="warn">{words('own.hiddenCount', { count: one.hidden_in.length })}</Badge>
      )}
      {one.images.some(lacksDescription) && <Badge tone="warn">{common('pictures.undescribed')}</Badge>}
    </Row>
  )
  const columns: TableColumn<Member>[] = [
    { id: 'title', title: labelOf('title'), cell: titleOf },
    { id: 'state', title: lists('state'), cell: stateOf },
    { id: 'created', title: words('own.created'), cell: ({ created_at }) => <Ago at={created_at} /> },
  ]
  const narrow = (one: Member) => (
    <>
      {titleOf(one)}
      <Row as="span">
        {stateOf(one)}
        <Ago at={one.created_at} />
      </Row>
    </>
  )
  const isFiltered = search.q !== undefined || search.status !== undefined
  const actions = (
    <>
      <ScreenLink icon="list" to="/espace/$acteurId/resultats" params={{ acteurId }}>
        {space('results.title')}
      </ScreenLink>
      {maySupervise(acteur) && (
        <ScreenLink icon="inbox" to="/espace/$acteurId/supervision" params={{ acteurId }}>
          {space('supervision.open')}
        </ScreenLink>
      )}
      {isMairie(acteur) && (
        <ScreenLink icon="list" to="/espace/$acteurId/groupements" params={{ acteurId }}>
          {space('groupHidings.open')}
        </ScreenLink>
      )}
      {mayPublish(acteur) && (
        <ScreenLink look="primary" icon="edit" to="/espace/$acteurId/publier" params={{ acteurId }}>
          {space('deeds.publish')}
        </ScreenLink>
      )}
    </>
  )
  return (
    <Page title={words('own.title')} actions={actions}>
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
                  <Button small onPress={() => void navigate({ to: '.', search: {} })}>
                    {lists('reset')}
                  </Button>
                </Empty>
              ) : (
                <Empty icon="edit" title={words('own.empty.title')}>
                  <p>{words('own.empty.text')}</p>
                  {mayPublish(acteur) && (
                    <Link to="/espace/$acteurId/publier" params={{ acteurId }}>
                      {words('newTitle')}
                    </Link>
                  )}
                </Empty>
              )
            }
          />
          <ListPager list={list} perPage={perPage} hidesSinglePage />
          <DeletedList
            query={deletedPublicationsQuery(acteurId, mayWrite(acteur))}
            kind="publication"
            restore={restorePublication}
          />
        </>
      )}
    </Page>
  )
}
