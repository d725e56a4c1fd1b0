import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { communeChoices, communeNameQuery } from '../../shell/choices/choices.ts'
import { Combo } from '../../ui/combo.tsx'
import { countSet, FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Search } from '../../ui/search.tsx'
import { Select } from '../../ui/select.tsx'
import { type ActeursSearch, acteurTypes, sorts, states, yesNo } from './search.ts'

type FiltersProps = { search: ActeursSearch; onShow: (search: ActeursSearch) => void }

export function Filters({ search, onShow }: FiltersProps) {
  const words = useTranslations('acteurs')
  const change = (changed: ActeursSearch) => onShow({ ...search, ...changed })
  return (
    <FilterRow
      set={countSet(search.type, search.commune, search.valide, search.state, search.publishes, search.badge)}
    >
      <Search label={words('search')} q={search.q ?? ''} onSearch={(q) => change({ q: q || undefined })} />
      <FilterSelect
        label={words('type')}
        any={words('anyType')}
        value={search.type}
        onChange={(type) => change({ type })}
        options={acteurTypes.map((value) => ({ value, label: words(`types.${value}`) }))}
      />
      <Commune chosen={search.commune} onChoose={(commune) => change({ commune })} />
      <FilterSelect
        label={words('validation')}
        any={words('anyValidation')}
        value={search.valide}
        onChange={(valide) => change({ valide })}
        options={yesNo.map((value) => ({ value, label: words(`valid.${value}`) }))}
      />
      <FilterSelect
        label={words('presence')}
        any={words('anyPresence')}
        value={search.state}
        onChange={(state) => change({ state })}
        options={states.map((value) => ({ value, label: words(`states.${value}`) }))}
      />
      <FilterSelect
        label={words('right')}
        any={words('anyRight')}
        value={search.publishes}
        onChange={(publishes) => change({ publishes })}
        options={yesNo.map((value) => ({ value, label: words(`rights.${value}`) }))}
      />
      <Search
        label={words('badgeSearch')}
        q={search.badge ?? ''}
        onSearch={(badge) => change({ badge: badge || undefined })}
      />
      <Select
        label={words('sort')}
        value={search.sort ?? 'created_at_desc'}
        options={sorts.map((value) => ({ value, label: words(`sorts.${value}`) }))}
        onChange={(sort) => change({ sort: sort === 'created_at_desc' ? undefined : sort })}
      />
    </FilterRow>
  )
}

type CommuneProps = { chosen: string | undefined; onChoose: (id: string | undefined) => void }

function Commune({ chosen, onChoose }: CommuneProps) {
  const words = useTranslations('acteurs')
  const [typed, setTyped] = useState('')
  const { data: items = [], isPending, isPlaceholderData } = useQuery(communeChoices(typed))
  const { data: named } = useQuery({ ...communeNameQuery(chosen ?? ''), enabled: chosen !== undefined })
  const current = chosen === undefined ? null : (named ?? null)
  const name = current?.nom ?? ''
  // A saved view or Back changes the choice without typing.
  useEffect(() => setTyped(name), [name])
  return (
    <Combo
      // Every filter is optional.
      isRequired
      label={words('commune')}
      typed={typed}
      onType={setTyped}
      items={items}
      isSearching={isPending || isPlaceholderData}
      chosen={current}
      onChoose={(commune) => {
        if (commune !== null || chosen !== undefined) onChoose(commune?.id)
      }}
    />
  )
}
