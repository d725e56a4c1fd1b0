import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { ListPager } from '../../../shell/lists/list-pager.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { TitleLink } from '../../../shell/records/links.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { countSet, FilterRow } from '../../../ui/filter-row.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { noonOf } from '../../../ui/moment.ts'
import { Page } from '../../../ui/page.tsx'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { StateBadge } from '../../acts/state.tsx'
import { actStates } from '../../acts/states.ts'
import { useActeur } from '../acteur.ts'
import { Inactive } from '../not-allowed.tsx'
import { isInactiveBody, mayPublishActs } from '../rights.ts'
import { actQuery, actsQuery, perPage } from './queries.ts'
import { type Act, type ActsSearch, actKinds } from './search.ts'
import { ActUpload } from './upload.tsx'

const route = getRouteApi('/signed-in/espace/$acteurId/actes')

const shownYears = 10

/** Acts of a mairie in every state, with what each waits for, and the place where the next PDF is dropped. */
export function ActsScreen() {
  const words = useTranslations('espace.acts')
  const lists = useTranslations('publications')
  const { acteurId } = route.useParams()
  const search = route.useSearch()
  const acteur = useActeur()
  const navigate = useNavigate()
  const list = useQuery(actsQuery(acteurId, search))
  const corrected = useQuery({
    ...actQuery(acteurId, search.corrects ?? ''),
    enabled: search.corrects !== undefined,
  })
  const columns = useColumns(acteurId)
  const isPublisher = mayPublishActs(acteur)
  const show = (changed: ActsSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '.', search: { ...before, ...changed } })
  }
  const { state, kind, year } = search
  const isFiltered = state !== undefined || kind !== undefined || year !== undefined
  return (
    <Page title={words('title')}>
      {!isPublisher && (isInactiveBody(acteur) ? <Inactive /> : <p>{words('readOnly')}</p>)}
      {isPublisher && !corrected.isLoading && <ActUpload acteurId={acteurId} corrected={corrected.data} />}
      <FilterRow set={countSet(kind, year)}>
        <FilterSelect
          label={lists('state')}
          any={lists('anyState')}
          value={state}
          onChange={(chosen) => show({ state: chosen })}
          options={actStates.map((value) => ({ value, label: words(`states.${value}`) }))}
        />
        <FilterSelect
          label={words('kind')}
          any={words('anyKind')}
          value={kind}
          onChange={(chosen) => show({ kind: chosen })}
          options={actKinds.map((value) => ({ value, label: words(`kinds.${value}`) }))}
        />
        <FilterSelect
          label={words('year')}
          any={words('anyYear')}
          value={year === undefined ? undefined : String(year)}
          onChange={(chosen) => show({ year: chosen === undefined ? undefined : Number(chosen) })}
          options={yearsWith(year).map((one) => ({ value: String(one), label: String(one) }))}
        />
      </FilterRow>
      <QueryState query={list} lines={8} />
      {list.data && (
        <>
          <Table
            label={words('title')}
            {...columns}
            items={list.data.data}
            empty={
              isFiltered ? (
                <Empty icon="search" title={words('none')}>
                  <Button small onPress={() => void navigate({ to: '.', search: {} })}>
                    {lists('reset')}
                  </Button>
                </Empty>
              ) : (
                <Empty icon="document" title={words('empty.title')}>
                  <p>{words('empty.text')}</p>
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

/** The latest years, and the one that is chosen. */
function yearsWith(chosen: number | undefined): number[] {
  const now = new Date().getFullYear()
  const years = Array.from({ length: shownYears }, (_, ago) => now - ago)
  return chosen === undefined || years.includes(chosen) ? years : [...years, chosen]
}

/** The columns of the list, and what stands in the only one of a narrow window. */
function useColumns(acteurId: string) {
  const words = useTranslations('espace.acts')
  const lists = useTranslations('publications')
  const format = useFormatter()
  const dateOf = ({ date }: Act) => format.dateTime(noonOf(date), { dateStyle: 'medium' })
  const titleOf = ({ id, title }: Act) => (
    <TitleLink to="/espace/$acteurId/actes/$id" params={{ acteurId, id }}>
      {title}
    </TitleLink>
  )
  const kindOf = ({ kind, number }: Act) =>
    number === null
      ? words(`kinds.${kind}`)
      : words('kindAndNumber', { kind: words(`kinds.${kind}`), number })
  const stateOf = (act: Act) => {
    const waits = waitsFor(act)
    return (
      <Row as="span">
        <StateBadge state={act.state} />
        {waits && <Soft as="span">{words(`waits.${waits}`)}</Soft>}
      </Row>
    )
  }
  const columns: TableColumn<Act>[] = [
    { id: 'title', title: words('actTitle'), cell: titleOf },
    { id: 'kind', title: words('kind'), cell: kindOf },
    { id: 'date', title: words('date'), cell: dateOf },
    { id: 'state', title: lists('state'), cell: stateOf },
  ]
  const narrow = (act: Act) => (
    <>
      {titleOf(act)}
      <Soft as="span">{words('kindAndDate', { kind: kindOf(act), date: dateOf(act) })}</Soft>
      {stateOf(act)}
    </>
  )
  return { columns, narrow }
}

/** What an act waits for; null if for nothing. */
function waitsFor(act: Act): 'author' | 'publication' | 'archive' | null {
  if (act.can.includes('archive')) return 'archive'
  if (act.state !== 'draft') return null
  const { author_first_name, author_name, author_quality } = act
  return author_first_name && author_name && author_quality ? 'publication' : 'author'
}
