import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Deleted, DeletedList } from '../../shell/deleted/deleted-list.tsx'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Page } from '../../ui/page.tsx'
import { ManagedAlertes } from './managed.tsx'
import { NewAlerte } from './new.tsx'
import { alertesQuery, allAlertes, deletedAlertesQuery, filtersOf, perPage } from './queries.ts'
import { type AlertesSearch, niveaux, whens } from './search.ts'

const route = getRouteApi('/signed-in/alertes')

const restore = ({ id }: Deleted) => allAlertes.restore({ id, commune_id: null, acteur_id: null })

/** Lists the alertes of communes and mairies, past ones included, to correct, end or delete them. */
export function AlertesScreen() {
  const words = useTranslations('alertes')
  const search = route.useSearch()
  const navigate = useNavigate()
  const alertes = useQuery(alertesQuery(search))
  const [isWriting, setWriting] = useState(false)
  const isFiltered = search.niveau !== undefined || search.when !== undefined
  const show = (changed: AlertesSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '/alertes', search: { ...before, ...changed } })
  }
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ExportButton list="alertes" query={filtersOf(search)} meta={alertes.data?.meta} />
          <Button look="primary" onPress={() => setWriting(true)}>
            {words('new')}
          </Button>
        </>
      }
    >
      <FilterRow>
        <FilterSelect
          label={words('when')}
          any={words('whens.all')}
          value={search.when}
          onChange={(when) => show({ when })}
          options={whens.map((value) => ({ value, label: words(`whens.${value}`) }))}
        />
        <FilterSelect
          label={words('niveau')}
          any={words('niveaux.all')}
          value={search.niveau}
          onChange={(niveau) => show({ niveau })}
          options={niveaux.map((value) => ({ value, label: words(`niveaux.${value}`) }))}
        />
      </FilterRow>
      <QueryState query={alertes} lines={8} />
      {alertes.data && (
        <>
          <ManagedAlertes
            alertes={alertes.data.data}
            of={({ commune, acteur }) => commune?.nom ?? acteur?.nom ?? ''}
            noteOf={({ created_by_user: author }) => author?.nom && words('by', { nom: author.nom })}
            store={allAlertes}
            empty={
              <Empty icon="bell" title={words(isFiltered ? 'notFound' : 'empty.title')}>
                {isFiltered ? (
                  <Button small onPress={() => void navigate({ to: '/alertes', search: {} })}>
                    {words('reset')}
                  </Button>
                ) : (
                  <p>{words('empty.text')}</p>
                )}
              </Empty>
            }
          />
          <ListPager list={alertes} perPage={perPage} />
          <DeletedList query={deletedAlertesQuery} kind="alerte" restore={restore} />
        </>
      )}
      {isWriting && <NewAlerte onClose={() => setWriting(false)} />}
    </Page>
  )
}
