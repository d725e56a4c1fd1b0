import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChoicesQuery, communeChoices, publicationTypesQuery } from '../../shell/choices/choices.ts'
import { ChoiceList } from '../../ui/choice-list.tsx'
import type { Choice } from '../../ui/combo.tsx'
import { type FilterSearch, filterChoices } from './queries.ts'

type ChoicesProps = { label: string; chosen: string | undefined; onChoose: (id: string) => void }
type FilterChoicesProps = ChoicesProps &
  ({ of: keyof FilterSearch } | { of: 'options'; items: readonly Choice[] })

/** The values of a filter. */
export function FilterChoices(props: FilterChoicesProps) {
  if (props.of === 'options') return <ChoiceList {...props} />
  if (props.of === 'type') return <TypeChoices {...props} />
  const { of, ...rest } = props
  return <SearchChoices {...rest} search={of === 'commune' ? communeChoices : (q) => filterChoices(of, q)} />
}

function TypeChoices(props: ChoicesProps) {
  const { data = [], isPending } = useQuery(publicationTypesQuery)
  const items = data.map(({ id, libelle }) => ({ id, nom: libelle }))
  // A list takes the focus when it appears, and an empty one has nothing to focus.
  return isPending ? null : <ChoiceList {...props} items={items} />
}

type SearchChoicesProps<Item extends Choice> = {
  label: string
  search: (q: string) => ChoicesQuery<Item>
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** List of choices that the service searches as the user types. */
function SearchChoices<Item extends Choice>({ search, ...props }: SearchChoicesProps<Item>) {
  const [typed, setTyped] = useState('')
  const { data = [], isPending, isPlaceholderData } = useQuery(search(typed.trim()))
  return <ChoiceList {...props} items={data} onType={setTyped} isSearching={isPending || isPlaceholderData} />
}
