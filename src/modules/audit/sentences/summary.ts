import type { Text } from '../../../platform/errors.ts'
import type { Language } from '../../../platform/http/language.ts'
import type { AuditChange, SelectedAudit } from '../schema.ts'
import { accountSentences } from './accounts.ts'
import { contentSentences } from './content.ts'
import { fieldLabels } from './fields.ts'
import { accountOf, type Names, type Person, personalValue } from './names.ts'
import { organisationSentences } from './organisations.ts'
import type { Sentence, Sentences } from './sentence.ts'

/** The sentence of each action that the service writes. Tests compare it with the source and with the audit log. */
export const sentences: Sentences = { ...contentSentences, ...organisationSentences, ...accountSentences }

/** Describes an entry in one sentence: who did what to which record. */
export function summaryOf(entry: SelectedAudit, names: Names, language: Language): string {
  const account = accountOf(entry)
  const person = account === null ? null : personIn(names.person(account), language)
  const record = names.of(entry)
  const name = person ?? (record === null ? null : quoted(record, entry.entity, language))
  const sentence = sentences[entry.action] ?? unknownAction
  const text = elided(caseOf(sentence, entry)[language], name)
  return `${authorOf(entry, names, language)} ${fill(text, entry, name, language)}`
}

/** Lists what an entry changed, field by field, with a label in the language of the caller. */
export function changesOf({ before, after }: SelectedAudit, names: Names, language: Language): AuditChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields.map((field) => {
    const [was, is] = [before?.[field] ?? null, after?.[field] ?? null]
    const personal = was === personalValue || is === personalValue
    return {
      field,
      label: fieldLabels[field]?.[language] ?? field.replaceAll('_', ' '),
      before: was === personalValue ? null : was,
      after: is === personalValue ? null : is,
      before_name: names.referred(field, was),
      after_name: names.referred(field, is),
      personal,
    }
  })
}

/** Returns the text of a sentence without its placeholders, to search in it. */
export const wordsOf = (sentence: Sentence, language: Language): string =>
  [sentence, ...Object.values(sentence.cases?.is ?? {})]
    .map((text) => text[language].replaceAll(/\[([^\]]*)\]/g, '$1').replaceAll(/\{\w+\}/g, ''))
    .join(' ')

const unknownAction: Text = { fr: 'a fait : {action}[ ({name})]', en: 'did: {action}[ ({name})]' }

/** French elides "de" before a vowel. English sentences have no "de". */
const elided = (text: string, name: string | null) =>
  /^[aeiouéèêàâîïôûœ]/iu.test(name ?? '') ? text.replace('de {name}', 'd’{name}') : text

function caseOf({ cases, ...plain }: Sentence, entry: SelectedAudit): Text {
  if (cases === undefined) return plain
  return cases.is[String(valueIn(entry, cases.field))] ?? plain
}

/** The value that an entry left: null if it was removed. */
const valueIn = ({ before, after }: SelectedAudit, field: string) =>
  after !== null && field in after ? after[field] : before?.[field]

/** Fills in the placeholders, and leaves out bracketed parts with an unknown value. */
function fill(text: string, entry: SelectedAudit, name: string | null, language: Language): string {
  const textFor = (key: string): string | null => {
    if (key === 'name') return name
    if (key === 'action') return entry.action
    const value = key === 'roles' ? changedRoles(entry, language) : valueIn(entry, key)
    if (value === undefined || value === null || value === personalValue) return null
    if (Array.isArray(value)) return value.length === 0 ? null : value.map(String).join(', ')
    return typeof value === 'object' ? null : String(value)
  }
  const put = (part: string) => {
    let isKnown = true
    const filled = part.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
      const value = textFor(key)
      if (value === null) isKnown = false
      return value ?? ''
    })
    return { filled, isKnown }
  }
  return text
    .split(/(\[[^\]]*\])/)
    .map((part) => {
      const { filled, isKnown } = put(part.startsWith('[') ? part.slice(1, -1) : part)
      return isKnown ? filled : ''
    })
    .join('')
}

/** The roles that an entry added or removed, by the names that the back-office gives them. */
function changedRoles({ before, after }: SelectedAudit, language: Language): string[] {
  const rolesIn = (values: typeof before) => new Set((values?.roles as string[] | undefined) ?? [])
  return [...rolesIn(before).symmetricDifference(rolesIn(after))].map(
    (role) => roleNames[role]?.[language] ?? role,
  )
}

const roleNames: Readonly<Record<string, Text>> = {
  admin: { fr: 'Administration', en: 'Administrator' },
  platform_admin: { fr: 'Administration de la plateforme', en: 'Platform administrator' },
  moderator: { fr: 'Modération', en: 'Moderator' },
  support: { fr: 'Assistance', en: 'Support' },
}

const authors = {
  service: { fr: 'Le service', en: 'The service' },
  anonymous: { fr: 'Une personne non connectée', en: 'Somebody who was not signed in' },
  erased: { fr: 'une personne effacée', en: 'an erased person' },
  unnamed: { fr: 'une personne sans nom', en: 'a person without a name' },
} satisfies Record<string, Text>

function authorOf(entry: SelectedAudit, names: Names, language: Language): string {
  // Signing in is what makes a user known: the session says whose it is.
  const id = entry.user_id ?? (entry.entity === 'session' ? accountOf(entry) : null)
  if (id === null) return authors[entry.app_source === null ? 'service' : 'anonymous'][language]
  const name = personIn(names.person(id), language)
  // A name or an address begins as its owner writes it.
  const isPhrase = [authors.erased, authors.unnamed].some((phrase) => phrase[language] === name)
  return isPhrase ? name.charAt(0).toUpperCase() + name.slice(1) : name
}

function personIn(person: Person | null, language: Language): string {
  if (person?.erased) return authors.erased[language]
  const nom = person?.nom?.trim() ?? ''
  return nom === '' ? authors.unnamed[language] : nom
}

function quoted(name: string, entity: string, language: Language): string {
  if (entity === 'thread') return name
  return language === 'fr' ? `«\u00a0${name}\u00a0»` : `“${name}”`
}
