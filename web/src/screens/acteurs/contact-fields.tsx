import { useLocale } from 'use-intl'
import {
  acteurFields,
  type Field,
  type FieldName,
  fieldNames,
} from '../../../../src/modules/acteurs/fields.ts'
import { TextField } from '../../ui/field.tsx'

type Name = Exclude<FieldName, 'horaires'>
/** Description and contact of an acteur, in the order of their fields. */
export const contactNames = fieldNames.filter((name): name is Name => acteurFields[name].kind !== 'hours')

/** Returns the label of a field. */
export function useFieldLabels(): (name: FieldName) => string {
  const language = useLocale() === 'en' ? 'en' : 'fr'
  return (name) => acteurFields[name].label[language]
}

/** As typed; an empty text stands for null. */
export type Contact = Record<Name, string>

const eachName = <Value,>(read: (name: Name) => Value) =>
  Object.fromEntries(contactNames.map((name) => [name, read(name)])) as Record<Name, Value>

export const contactOf = (acteur: Record<Name, string | null> | null): Contact =>
  eachName((name) => acteur?.[name] ?? '')

/** Returns the contact in the format of the API. */
export const sentContact = (contact: Contact) => eachName((name) => contact[name].trim() || null)

type FieldsProps = {
  contact: Contact
  onChange: (changed: Partial<Contact>) => void
  /** Returns the error of a field. */
  wrong: (name: string) => string | null
}

/** Fields for the description and the contact of an acteur, for administrators and members. */
export function ContactFields({ contact, onChange, wrong }: FieldsProps) {
  const labelOf = useFieldLabels()
  return contactNames.map((name) => {
    const { kind, max } = acteurFields[name] as Field
    return (
      <TextField
        key={name}
        label={labelOf(name)}
        {...(kind === 'prose' ? { rows: 4 } : { autoComplete: 'off' })}
        maxLength={max}
        value={contact[name]}
        onChange={(value) => onChange({ [name]: value })}
        error={wrong(name)}
      />
    )
  })
}
