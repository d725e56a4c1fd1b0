import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { communeNameQuery, publicationTypesQuery } from '../../shell/choices/choices.ts'
import { later, usePreloaded } from '../../shell/later.tsx'
import type { Filter } from '../../ui/filters.tsx'
import { type FilterSearch, filterNameQuery } from './queries.ts'

const FilterChoices = later(async () => (await import('./filter-choices.tsx')).FilterChoices, { waits: true })
const parts = [FilterChoices]

/** Removes the filters that the queue, the reports and the list of publications share. */
export const noFilters = { commune: undefined, acteur: undefined, type: undefined, source: undefined }

/** The filters that the queue, the reports and the list of publications share. */
export function usePublicationFilters(
  search: FilterSearch,
  onChange: (changed: FilterSearch) => void,
): Filter[] {
  const words = useTranslations('publicationFilter')
  usePreloaded(parts)
  const { commune, acteur, type, source } = search
  const communeName = useQuery({ ...communeNameQuery(commune ?? ''), enabled: commune !== undefined })
  const acteurName = useQuery({
    ...filterNameQuery('acteur', acteur ?? ''),
    enabled: acteur !== undefined,
  })
  const sourceName = useQuery({
    ...filterNameQuery('source', source ?? ''),
    enabled: source !== undefined,
  })
  const types = useQuery({ ...publicationTypesQuery, enabled: type !== undefined })
  const filter = (id: keyof FilterSearch, { data: named, isError }: Named): Filter => ({
    id,
    label: words(id),
    value: search[id] && (named?.nom ?? (named === null || isError ? words('unknown') : '…')),
    onClear: () => onChange({ [id]: undefined }),
    choices: (close) => (
      <FilterChoices
        of={id}
        label={words(id)}
        chosen={search[id]}
        onChoose={(chosen) => {
          onChange({ [id]: chosen })
          close()
        }}
      />
    ),
  })
  const named = types.data?.find(({ id }) => id === type)
  const typeName = { data: named ? { nom: named.libelle } : types.data && null, isError: types.isError }
  return [
    filter('commune', communeName),
    filter('acteur', acteurName),
    filter('type', typeName),
    filter('source', sourceName),
  ]
}

/** Result of reading the name of a value: null if it is unknown. */
type Named = { data: { nom: string } | null | undefined; isError: boolean }

type OptionFilter<Value extends string> = {
  id: string
  label: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value | undefined) => void
}

/** Filter with a few fixed values. */
export const optionFilter = <Value extends string>({
  id,
  label,
  value,
  options,
  onChange,
}: OptionFilter<Value>): Filter => ({
  id,
  label,
  value: options.find((option) => option.value === value)?.label,
  onClear: () => onChange(undefined),
  choices: (close) => (
    <FilterChoices
      of="options"
      label={label}
      items={options.map((option) => ({ id: option.value, nom: option.label }))}
      chosen={value}
      onChoose={(chosen) => {
        onChange(chosen as Value)
        close()
      }}
    />
  ),
})
