import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { CommuneChoice } from '../../shell/choices/choices.ts'
import { CommuneList } from '../../shell/choices/commune-list.tsx'
import { Segmented } from '../../ui/choice.tsx'
import type { PlacesProps } from '../alertes/store.ts'
import { useActeur } from './acteur.ts'
import { memberChoices, membersQuery } from './alertes.queries.ts'
import type { OwnActeur } from './rights.ts'

/** Where an alerte of a group is for; null: in all its communes. */
export type Places = readonly CommuneChoice[] | null

type PlacesFieldProps = {
  acteur: OwnActeur
  places: Places
  onChange: (places: Places) => void
  error: string | null
}

/** Choice of all communes of a group, or of some. */
export function PlacesField({ acteur, places, onChange, error }: PlacesFieldProps) {
  const words = useTranslations('espace.alert')
  return (
    <>
      <Segmented
        large
        label={words('where')}
        value={places === null ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : (places ?? []))}
        options={(['all', 'some'] as const).map((value) => ({ value, label: words(`places.${value}`) }))}
      />
      {places !== null && (
        <CommuneList
          isRequired
          chosen={places}
          onChange={onChange}
          choices={memberChoices(acteur)}
          label={words('places.chosen')}
          help={words('places.help')}
          error={error}
        />
      )}
    </>
  )
}

/** The same for an alerte that was sent: its communes are known by their ids, and named once they are read. */
export function PlacesOfAlerte({ places, onChange, error }: PlacesProps) {
  const acteur = useActeur()
  const members = useQuery(membersQuery(acteur)).data
  const chosen = places && (members?.filter(({ id }) => places.includes(id)) ?? [])
  if (places !== null && members === undefined) return null
  return (
    <PlacesField
      acteur={acteur}
      places={chosen}
      onChange={(changed) => onChange(changed?.map(({ id }) => id) ?? null)}
      error={error}
    />
  )
}
