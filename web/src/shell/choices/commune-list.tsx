import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '../../ui/button.tsx'
import { Combo } from '../../ui/combo.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { type ChoicesQuery, type CommuneChoice, communeChoices } from './choices.ts'

type ListProps = {
  chosen: readonly CommuneChoice[]
  onChange: (chosen: CommuneChoice[]) => void
  isRequired?: boolean
  help: string
  /** Label of what is chosen. */
  label: string
  error: string | null
  /** Query of the communes that are offered. */
  choices?: (q: string) => ChoicesQuery<CommuneChoice>
}

/** Choice of several communes, each found by a few letters. */
export function CommuneList({
  chosen,
  onChange,
  isRequired = false,
  help,
  label,
  error,
  choices = communeChoices,
}: ListProps) {
  const words = useTranslations('communeList')
  const [typed, setTyped] = useState('')
  const isAdded = useRef(false)
  const box = useRef<HTMLDivElement>(null)
  const count = chosen.length
  const before = useRef(count)
  useEffect(() => {
    // The new field has no focus yet.
    if (count > before.current) box.current?.querySelector('input')?.focus()
    before.current = count
  }, [count])
  const search = useQuery(choices(typed))
  const found = search.data ?? []
  return (
    <>
      <div ref={box}>
        <Combo
          // A field of its own for each commune, empty and closed.
          key={count}
          isRequired={isRequired}
          label={words('add')}
          help={help}
          typed={typed}
          onType={(text) => {
            // The combo box writes the name of what was chosen.
            setTyped(isAdded.current ? '' : text)
            isAdded.current = false
          }}
          items={found.filter(({ id }) => chosen.every((commune) => commune.id !== id))}
          isSearching={search.isPending || search.isPlaceholderData}
          chosen={null}
          onChoose={(commune) => {
            if (commune === null) return
            isAdded.current = true
            onChange([...chosen, commune])
          }}
          error={error}
        />
      </div>
      {chosen.length > 0 && (
        <Lines label={label}>
          {chosen.map((commune) => (
            <OneLine
              key={commune.id}
              icon="place"
              title={commune.nom}
              badge={commune.note}
              actions={
                <IconButton
                  icon="close"
                  label={words('remove', { nom: commune.nom })}
                  onPress={() => onChange(chosen.filter(({ id }) => id !== commune.id))}
                />
              }
            />
          ))}
        </Lines>
      )}
    </>
  )
}
