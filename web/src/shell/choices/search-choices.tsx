import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChoiceList } from '../../ui/choice-list.tsx'
import type { Choice } from '../../ui/combo.tsx'
import type { ChoicesQuery } from './choices.ts'

type SearchChoicesProps<Item extends Choice> = {
  label: string
  search: (q: string) => ChoicesQuery<Item>
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** List of choices that the service searches as the user types. */
export function SearchChoices<Item extends Choice>({ search, ...props }: SearchChoicesProps<Item>) {
  const [typed, setTyped] = useState('')
  const { data = [], isPending, isPlaceholderData } = useQuery(search(typed.trim()))
  return <ChoiceList {...props} items={data} onType={setTyped} isSearching={isPending || isPlaceholderData} />
}
