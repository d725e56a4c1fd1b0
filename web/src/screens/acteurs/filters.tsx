import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Combo } from '../../ui/combo.tsx'
import { Search } from '../../ui/search.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './acteurs.module.css'
import { communeQuery, communesQuery } from './queries.ts'
import { type ActeursSearch, acteurTypes, sorts, states, yesNo } from './search.ts'

type FiltersProps = { search: ActeursSearch; onShow: (search: ActeursSearch) => void }

export function Filters({ search, onShow }: FiltersProps) {
  const words = useTranslations('acteurs')
  const change = (changed: { [Name in keyof ActeursSearch]: ActeursSearch[Name] | undefined }) => {
    const entries = Object.entries({ ...search, ...changed })
    onShow(Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
  }
  const choice = <Value extends string>(label: string, any: string, options: readonly [Value, string][]) => ({
    label,
    options: [
      { value: 'all' as Value | 'all', label: any },
      ...options.map(([value, text]) => ({ value, label: text })),
    ],
  })
  const given = <Value extends string>(value: Value | 'all') => (value === 'all' ? undefined : value)
  return (
    <search className={styles.filters}>
      <Search label={words('search')} q={search.q ?? ''} onSearch={(q) => change({ q: q || undefined })} />
      <Select
        {...choice(
          words('type'),
          words('anyType'),
          acteurTypes.map((one) => [one, words(`types.${one}`)]),
        )}
        value={search.type ?? 'all'}
        onChange={(type) => change({ type: given(type) })}
      />
      <Commune chosen={search.commune} onChoose={(commune) => change({ commune })} />
      <Select
        {...choice(
          words('validation'),
          words('anyValidation'),
          yesNo.map((one) => [one, words(`valid.${one}`)]),
        )}
        value={search.valide ?? 'all'}
        onChange={(valide) => change({ valide: given(valide) })}
      />
      <Select
        {...choice(
          words('presence'),
          words('anyPresence'),
          states.map((one) => [one, words(`states.${one}`)]),
        )}
        value={search.state ?? 'all'}
        onChange={(state) => change({ state: given(state) })}
      />
      <Select
        {...choice(
          words('right'),
          words('anyRight'),
          yesNo.map((one) => [one, words(`rights.${one}`)]),
        )}
        value={search.publishes ?? 'all'}
        onChange={(publishes) => change({ publishes: given(publishes) })}
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
    </search>
  )
}

type CommuneProps = { chosen: string | undefined; onChoose: (id: string | undefined) => void }

function Commune({ chosen, onChoose }: CommuneProps) {
  const words = useTranslations('acteurs')
  const [typed, setTyped] = useState('')
  const { data: items = [] } = useQuery(communesQuery(typed))
  const { data: named } = useQuery({ ...communeQuery(chosen ?? ''), enabled: chosen !== undefined })
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
      chosen={current}
      onChoose={(commune) => {
        if (commune !== null || chosen !== undefined) onChoose(commune?.id)
      }}
    />
  )
}
