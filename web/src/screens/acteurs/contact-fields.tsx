import { useTranslations } from 'use-intl'
import { TextField } from '../../ui/field.tsx'

const lines = { adresse: 500, telephone: 50, email: 254, site_web: 2_000 } as const
const lineNames = Object.keys(lines) as (keyof typeof lines)[]

/** Description and contact of an acteur, in the order of their fields. */
export const contactNames = ['description', ...lineNames] as const
type Name = (typeof contactNames)[number]
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
  const words = useTranslations('acteurs')
  return (
    <>
      <TextField
        label={words('description')}
        rows={4}
        maxLength={5_000}
        value={contact.description}
        onChange={(description) => onChange({ description })}
        error={wrong('description')}
      />
      {lineNames.map((name) => (
        <TextField
          key={name}
          label={words(name)}
          maxLength={lines[name]}
          autoComplete="off"
          value={contact[name]}
          onChange={(value) => onChange({ [name]: value })}
          error={wrong(name)}
        />
      ))}
    </>
  )
}
