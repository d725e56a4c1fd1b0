import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Syncs } from '../../shell/records/defibrillateurs/syncs.tsx'
import { countSet, FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Page } from '../../ui/page.tsx'
import { Search } from '../../ui/search.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { DeviceList } from './list.tsx'
import { MapTab } from './map-tab.tsx'
import { absents, type DefibrillateursSearch, etatNames, statuts, tabs } from './search.ts'

const route = getRouteApi('/signed-in/defibrillateurs')

/** Defibrillators as a list or on a map, with the same filters, and the syncs with the registry. */
export function DefibrillateursScreen() {
  const words = useTranslations('defibrillateurs')
  const search = route.useSearch()
  const navigate = useNavigate()
  const { tab = 'list' } = search
  const show = (changed: DefibrillateursSearch, replace = false) => {
    const { page: _, ...before } = search
    void navigate({ to: '/defibrillateurs', search: { ...before, ...changed }, replace })
  }
  const contents = {
    list: <DeviceList search={search} onShow={show} />,
    map: <MapTab search={search} onMove={(at) => show({ at }, true)} />,
    syncs: <Syncs />,
  }
  return (
    <Page title={words('title')}>
      {tab !== 'syncs' && <Filters search={search} onShow={show} />}
      <Tabs
        label={words('title')}
        selected={tab}
        onSelect={(id) => show({ tab: id === 'list' ? undefined : id })}
        tabs={tabs.map((id) => ({ id, title: words(`tabs.${id}`), content: id === tab && contents[id] }))}
      />
    </Page>
  )
}

type FiltersProps = { search: DefibrillateursSearch; onShow: (changed: DefibrillateursSearch) => void }

function Filters({ search, onShow }: FiltersProps) {
  const words = useTranslations('defibrillateurs')
  return (
    <FilterRow set={countSet(search.statut, search.etat, search.absent)}>
      <Search label={words('search')} q={search.q ?? ''} onSearch={(q) => onShow({ q: q || undefined })} />
      <FilterSelect
        label={words('statut')}
        any={words('statuts.all')}
        value={search.statut}
        onChange={(statut) => onShow({ statut })}
        options={statuts.map((value) => ({ value, label: words(`statuts.${value}`) }))}
      />
      <FilterSelect
        label={words('etat')}
        any={words('etats.all')}
        value={search.etat}
        onChange={(etat) => onShow({ etat })}
        options={etatNames.map((value) => ({ value, label: words(`etats.${value}`) }))}
      />
      <FilterSelect
        label={words('absent')}
        any={words('absents.all')}
        value={search.absent}
        onChange={(absent) => onShow({ absent })}
        options={absents.map((value) => ({ value, label: words(`absents.${value}`) }))}
      />
    </FilterRow>
  )
}
