import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { useDeviceColumns } from '../../shell/records/defibrillateurs/columns.tsx'
import { perPage } from '../../shell/records/defibrillateurs/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectionBar } from '../../ui/layout.tsx'
import { Select } from '../../ui/select.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './defibrillateurs.module.css'
import { listQuery } from './queries.ts'
import { type DefibrillateursSearch, filtersOf, sorts } from './search.ts'
import { SetStatuts } from './set-statuts.tsx'

type ListProps = { search: DefibrillateursSearch; onShow: (changed: DefibrillateursSearch) => void }

/** The devices as a list, which does everything without the map. */
export function DeviceList({ search, onShow }: ListProps) {
  const words = useTranslations('defibrillateurs')
  const columns = useDeviceColumns()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isSetting, setSetting] = useState(false)
  const list = useQuery(listQuery(search))
  const items = list.data?.data ?? []
  const several = items.filter(({ id, can }) => chosen.has(id) && can.includes('edit'))
  return (
    <div className={styles.stack}>
      <div className={styles.above}>
        <Select
          label={words('sort')}
          value={search.sort ?? 'nom_asc'}
          onChange={(sort) => onShow({ sort: sort === 'nom_asc' ? undefined : sort })}
          options={sorts.map((value) => ({ value, label: words(`sorts.${value}`) }))}
        />
        <ExportButton
          list="defibrillateurs-france"
          query={{ ...filtersOf(search), sort: search.sort }}
          meta={list.data?.meta}
        />
      </div>
      <QueryState query={list} lines={10} />
      {list.data && (
        <>
          <Table
            label={words('title')}
            columns={columns}
            items={items}
            chosen={chosen}
            onChoose={setChosen}
            empty={<NoDevice search={search} />}
          />
          {several.length > 0 && (
            <SelectionBar chosen={words('chosen', { count: several.length })}>
              <Button small look="primary" onPress={() => setSetting(true)}>
                {words('setStatut')}
              </Button>
            </SelectionBar>
          )}
          <ListPager list={list} perPage={perPage} onPage={() => setChosen(new Set())} />
        </>
      )}
      {isSetting && (
        <SetStatuts
          rows={several}
          onClose={() => setSetting(false)}
          onDone={() => {
            setSetting(false)
            setChosen(new Set())
          }}
        />
      )}
    </div>
  )
}

/** Says whether the filters leave nothing, or nothing was ever loaded. */
function NoDevice({ search: { q, statut, etat, absent } }: { search: DefibrillateursSearch }) {
  const words = useTranslations('defibrillateurs')
  const navigate = useNavigate()
  const isFiltered = Boolean(q || statut || etat || absent)
  return (
    <Empty icon="search" title={words(isFiltered ? 'none' : 'empty')}>
      {isFiltered ? (
        <Button small onPress={() => void navigate({ to: '/defibrillateurs', search: {} })}>
          {words('reset')}
        </Button>
      ) : (
        <Button small onPress={() => void navigate({ to: '/defibrillateurs', search: { tab: 'syncs' } })}>
          {words('goToSync')}
        </Button>
      )}
    </Empty>
  )
}
