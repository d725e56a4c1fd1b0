import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type CommuneChoice, communeChoices } from '../../shell/choices/choices.ts'
import { IconButton } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { Combo } from '../../ui/combo.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'

type CommunesProps = {
  /** Null: everything public. */
  chosen: readonly CommuneChoice[] | null
  onChange: (chosen: CommuneChoice[] | null) => void
  error: string | null
}

/** Choice of the communes whose publications an application shows. */
export function Communes({ chosen, onChange, error }: CommunesProps) {
  const words = useTranslations('reference.sources')
  const [typed, setTyped] = useState('')
  const isAdded = useRef(false)
  const box = useRef<HTMLDivElement>(null)
  const count = chosen?.length ?? 0
  const before = useRef(count)
  useEffect(() => {
    // The new field has no focus yet.
    if (count > before.current) box.current?.querySelector('input')?.focus()
    before.current = count
  }, [count])
  const search = useQuery({ ...communeChoices(typed), enabled: chosen !== null })
  const found = search.data ?? []
  return (
    <>
      <Segmented
        label={words('shows')}
        value={chosen === null ? 'everything' : 'some'}
        onChange={(value) => onChange(value === 'some' ? [] : null)}
        options={[
          { value: 'everything', label: words('all') },
          { value: 'some', label: words('some') },
        ]}
      />
      {chosen !== null && (
        <>
          <div ref={box}>
            <Combo
              // A field of its own for each commune, empty and closed.
              key={count}
              isRequired
              label={words('addCommune')}
              help={words('addCommuneHelp')}
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
            <Lines label={words('chosen')}>
              {chosen.map((commune) => (
                <OneLine
                  key={commune.id}
                  icon="place"
                  title={commune.nom}
                  badge={commune.note}
                  actions={
                    <IconButton
                      icon="close"
                      label={words('removeCommune', { nom: commune.nom })}
                      onPress={() => onChange(chosen.filter(({ id }) => id !== commune.id))}
                    />
                  }
                />
              ))}
            </Lines>
          )}
        </>
      )}
    </>
  )
}
