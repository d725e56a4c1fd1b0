import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Select } from '../../ui/select.tsx'
import { publicationTypesQuery } from './choices.ts'

type SelectProps = {
  label: string
  /** Identifier of the type; empty: none. */
  value: string
  onChange: (id: string) => void
}

const none = 'none'

/** Choice of the type of a publication, or of none. */
export function PublicationTypeSelect({ label, value, onChange }: SelectProps) {
  const words = useTranslations('writing')
  const { data = [] } = useQuery(publicationTypesQuery)
  return (
    <Select
      label={label}
      value={value === '' ? none : value}
      onChange={(id) => onChange(id === none ? '' : id)}
      options={[
        { value: none, label: words('noType') },
        ...data.map(({ id, libelle }) => ({ value: id, label: libelle })),
      ]}
    />
  )
}
