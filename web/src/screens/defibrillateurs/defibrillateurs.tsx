import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Page } from '../../ui/page.tsx'
import { Search } from '../../ui/search.tsx'
import { Select } from '../../ui/select.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import styles from './defibrillateurs.module.css'
import { DeviceList } from './list.tsx'
import { MapTab } from './map-tab.tsx'
import { type DefibrillateursSearch, etatNames, statuts, tabs } from './search.ts'
import { Syncs } from './syncs.tsx'

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
    <search className={styles.filters}>
      <Search label={words('search')} q={search.q ?? ''} onSearch={(q) => onShow({ q: q || undefined })} />
      <Select
        label={words('statut')}
        value={search.statut ?? 'all'}
        onChange={(value) => onShow({ statut: value === 'all' ? undefined : value })}
        options={(['all', ...statuts] as const).map((value) => ({ value, label: words(`statuts.${value}`) }))}
      />
      <Select
        label={words('etat')}
        value={search.etat ?? 'all'}
        onChange={(value) => onShow({ etat: value === 'all' ? undefined : value })}
        options={(['all', ...etatNames] as const).map((value) => ({ value, label: words(`etats.${value}`) }))}
      />
      <Select
        label={words('absent')}
        value={search.absent ?? 'all'}
        onChange={(value) => onShow({ absent: value === 'all' ? undefined : value })}
        options={(['all', 'no', 'yes'] as const).map((value) => ({
          value,
          label: words(`absents.${value}`),
        }))}
      />
    </search>
  )
}
