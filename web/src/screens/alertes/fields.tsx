import { useTranslations } from 'use-intl'
import { Segmented } from '../../ui/choice.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { type Niveau, niveaux } from './search.ts'

/** The typed fields of an alerte; `debut` and `fin` as their fields hold them. */
type Typed = { titre: string; message: string; niveau: Niveau; debut: string; fin: string }

type FieldsProps = {
  typed: Typed
  onChange: (changed: Partial<Typed>) => void
  /** Returns the error of a field. */
  errorOf: (name: keyof Typed) => string | null
  autoFocus?: boolean
}

/** Fields of the form of an alerte, new or not. */
export function AlerteFields({ typed, onChange, errorOf, autoFocus = false }: FieldsProps) {
  const words = useTranslations('alertes')
  return (
    <>
      <TextField
        label={words('titre')}
        isRequired
        autoFocus={autoFocus}
        maxLength={200}
        value={typed.titre}
        onChange={(titre) => onChange({ titre })}
        error={errorOf('titre')}
      />
      <TextField
        label={words('message')}
        isRequired
        rows={5}
        maxLength={2_000}
        value={typed.message}
        onChange={(message) => onChange({ message })}
        error={errorOf('message')}
      />
      <Segmented
        label={words('niveau')}
        value={typed.niveau}
        onChange={(niveau) => onChange({ niveau })}
        options={niveaux.map((value) => ({ value, label: words(`niveaux.${value}`) }))}
      />
      <DateField
        withTime
        label={words('debut')}
        help={words('debutHelp')}
        value={typed.debut}
        onChange={(debut) => onChange({ debut })}
        error={errorOf('debut')}
      />
      <DateField
        withTime
        label={words('fin')}
        help={words('finHelp')}
        value={typed.fin}
        onChange={(fin) => onChange({ fin })}
        error={errorOf('fin')}
      />
    </>
  )
}
