import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Choice, Combo } from '../../ui/combo.tsx'
import type { ChoicesQuery } from './choices.ts'

type SearchComboProps<Item extends Choice> = {
  label: string
  help?: string
  error?: string | null
  isRequired?: boolean
  search: (q: string) => ChoicesQuery<Item>
  chosen: Item | null
  onChoose: (item: Item | null) => void
}

/** Combo box whose options the service searches as the user types. */
export function SearchCombo<Item extends Choice>({ search, chosen, ...props }: SearchComboProps<Item>) {
  const [typed, setTyped] = useState(chosen?.nom ?? '')
  // The name of the chosen option would find only that option: an empty search offers all.
  const {
    data = [],
    isPending,
    isPlaceholderData,
  } = useQuery(search(typed === chosen?.nom ? '' : typed.trim()))
  return (
    <Combo
      {...props}
      typed={typed}
      onType={setTyped}
      items={data}
      isSearching={isPending || isPlaceholderData}
      chosen={chosen}
    />
  )
}
