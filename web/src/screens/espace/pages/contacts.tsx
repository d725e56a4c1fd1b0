import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Section } from '../../../ui/page.tsx'
import styles from '../page.module.css'
import { emptyContact, type TypedContact } from './typed.ts'

const maxContacts = 6
const maxima = { nom: 200, adresse: 500, telephone: 50, email: 254 } as const
const names = ['nom', 'adresse', 'telephone', 'email'] as const

type ContactsProps = {
  contacts: readonly TypedContact[]
  onChange: (contacts: TypedContact[]) => void
  wrong: (name: string) => string | null
}

/** Whom readers of a page ask: up to six services or people. */
export function PageContacts({ contacts, onChange, wrong }: ContactsProps) {
  const words = useTranslations('espace.pages')
  return (
    <Section title={words('contacts')}>
      {contacts.map((contact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a contact has no name but its place.
        <fieldset key={index} className={styles.preview} aria-label={words('contact', { place: index + 1 })}>
          {names.map((name) => (
            <TextField
              key={name}
              label={words(name)}
              isRequired={name === 'nom'}
              {...(name === 'email' && { type: 'email' })}
              autoComplete="off"
              maxLength={maxima[name]}
              value={contact[name]}
              onChange={(value) => onChange(contacts.with(index, { ...contact, [name]: value }))}
              error={wrong(`contacts.${index}.${name}`)}
            />
          ))}
          <div>
            <Button small onPress={() => onChange(contacts.toSpliced(index, 1))}>
              {words('removeContact')}
            </Button>
          </div>
        </fieldset>
      ))}
      {contacts.length < maxContacts && (
        <div>
          <Button small icon="plus" onPress={() => onChange([...contacts, emptyContact])}>
            {words('addContact')}
          </Button>
        </div>
      )}
    </Section>
  )
}
