import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { communeChoices } from '../../shell/choices/choices.ts'
import { type Choice, Combo } from '../../ui/combo.tsx'
import { Select } from '../../ui/select.tsx'
import { groupChoices } from './queries.ts'

const kinds = ['commune', 'group'] as const
type Kind = (typeof kinds)[number]
/** What a domain shows as its home. */
export type ChosenHome = { kind: Kind; home: Choice | null }

/** Returns the field of a body that names a home. */
export const idOf = ({ kind, home }: ChosenHome) =>
  kind === 'commune' ? { commune_id: home?.id ?? null } : { group_id: home?.id ?? null }

export const isOfHome = (field: string): boolean => field === 'commune_id' || field === 'group_id'

type HomeFieldsProps = {
  chosen: ChosenHome
  onChoose: (part: Partial<ChosenHome>) => void
  error: string | null
}

/** Fields of the home of a domain: a commune or a group. */
export function HomeFields({ chosen: { kind, home }, onChoose, error }: HomeFieldsProps) {
  const words = useTranslations('domains')
  return (
    <>
      <Select
        label={words('kind')}
        value={kind}
        onChange={(kind) => onChoose({ kind, home: null })}
        options={kinds.map((value) => ({ value, label: words(`kinds.${value}`) }))}
      />
      <HomeOfKind
        key={kind}
        kind={kind}
        chosen={home}
        onChoose={(home) => onChoose({ home })}
        error={error}
      />
    </>
  )
}

type HomeOfKindProps = {
  kind: Kind
  chosen: Choice | null
  onChoose: (home: Choice | null) => void
  error: string | null
}

function HomeOfKind({ kind, chosen, onChoose, error }: HomeOfKindProps) {
  const words = useTranslations('domains')
  const [asked, setAsked] = useState<string | null>(null)
  const q = asked ?? ''
  const found = useQuery<Choice[]>(kind === 'commune' ? communeChoices(q) : groupChoices(q))
  return (
    <Combo<Choice>
      label={words(`kinds.${kind}`)}
      isRequired
      typed={asked ?? chosen?.nom ?? ''}
      onType={setAsked}
      items={found.data ?? []}
      isSearching={found.isPending || found.isPlaceholderData}
      chosen={chosen}
      onChoose={(item) => {
        setAsked(null)
        onChoose(item && { id: item.id, nom: item.nom })
      }}
      error={error}
    />
  )
}
