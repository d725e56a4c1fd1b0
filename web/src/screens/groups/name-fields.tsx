import { useTranslations } from 'use-intl'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { type GroupKind, groupKinds } from './search.ts'

type Named = { nom: string; kind: GroupKind }
type FieldsProps = { typed: Named; onChange: (changed: Partial<Named>) => void; error: string | null }

/** The fields that name a group, of a new one and of one that is changed. */
export function NameFields({ typed: { nom, kind }, onChange, error }: FieldsProps) {
  const words = useTranslations('groupsOfCommunes')
  return (
    <>
      <TextField
        label={words('nom')}
        isRequired
        maxLength={200}
        value={nom}
        onChange={(typed) => onChange({ nom: typed })}
        error={error}
      />
      <Select
        label={words('kind')}
        value={kind}
        onChange={(chosen) => onChange({ kind: chosen })}
        options={groupKinds.map((value) => ({ value, label: words(`kinds.${value}`) }))}
      />
    </>
  )
}
