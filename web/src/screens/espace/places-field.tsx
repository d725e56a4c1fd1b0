import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { CommuneChoice } from '../../shell/choices/choices.ts'
import { CommuneList } from '../../shell/choices/commune-list.tsx'
import { Segmented } from '../../ui/choice.tsx'
import type { PlacesProps } from '../alertes/store.ts'
import { useActeur } from './acteur.ts'
import { memberChoices, membersQuery } from './alertes.queries.ts'
import type { OwnActeur } from './rights.ts'

/** The chosen communes of a group; null: all. */
export type Places = readonly CommuneChoice[] | null

type PlacesFieldProps = {
  acteur: OwnActeur
  places: Places
  onChange: (places: Places) => void
  error: string | null
  texts: Record<'label' | 'all' | 'some' | 'chosen' | 'help', string>
  large?: boolean
}

/** Choice of all communes of a group, or of some. */
export function PlacesField({ acteur, places, onChange, error, texts, large = false }: PlacesFieldProps) {
  return (
    <>
      <Segmented
        large={large}
        label={texts.label}
        value={places === null ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : (places ?? []))}
        options={(['all', 'some'] as const).map((value) => ({ value, label: texts[value] }))}
      />
      {places !== null && (
        <CommuneList
          isRequired
          chosen={places}
          onChange={onChange}
          choices={memberChoices(acteur)}
          label={texts.chosen}
          help={texts.help}
          error={error}
        />
      )}
    </>
  )
}

/** The same for an alerte that is written. */
export function PlacesOfDraft(props: Omit<PlacesFieldProps, 'texts'>) {
  const words = useTranslations('espace.alert')
  const texts = {
    ...{ label: words('where'), all: words('places.all'), some: words('places.some') },
    ...{ chosen: words('places.chosen'), help: words('places.help') },
  }
  return <PlacesField large texts={texts} {...props} />
}

/** The same for an alerte that was sent: its communes are known by their ids, and named once they are read. */
export function PlacesOfAlerte({ places, onChange, error }: PlacesProps) {
  const acteur = useActeur()
  const members = useQuery(membersQuery(acteur)).data
  const chosen = places && (members?.filter(({ id }) => places.includes(id)) ?? [])
  if (places !== null && members === undefined) return null
  return (
    <PlacesOfDraft
      acteur={acteur}
      places={chosen}
      onChange={(changed) => onChange(changed?.map(({ id }) => id) ?? null)}
      error={error}
    />
  )
}
