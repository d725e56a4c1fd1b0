import { useTranslations } from 'use-intl'
import type { CommuneChoice } from '../../shell/choices/choices.ts'
import { CommuneList } from '../../shell/choices/commune-list.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { memberChoices } from './alertes.queries.ts'
import type { OwnActeur } from './rights.ts'

/** Where an alerte of a group is for; null: in all its communes. */
export type Places = readonly CommuneChoice[] | null

type PlacesProps = {
  acteur: OwnActeur
  places: Places
  onChange: (places: Places) => void
  error: string | null
}

/** Choice of all communes of a group, or of some. */
export function PlacesField({ acteur, places, onChange, error }: PlacesProps) {
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
