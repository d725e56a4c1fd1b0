import type { Text } from '../../../platform/errors.ts'
import type { Language } from '../../../platform/http/language.ts'
import type { AuditChange, SelectedAudit } from '../schema.ts'
import { contentSentences } from './content.ts'
import { fieldLabels } from './fields.ts'
import { accountOf, type Names, type Person, personalValue } from './names.ts'
import { organisationSentences } from './organisations.ts'
import type { Sentence, Sentences } from './sentence.ts'

/** Actions on accounts, sessions, people and settings. */
const accountSentences = {
  'user.create': { fr: 'a créé le compte[ de {name}]', en: 'created the account[ of {name}]' },
  'user.invite': { fr: 'a invité[ {name}] dans le back-office', en: 'invited[ {name}] to the back-office' },
  'user.bind': {
    fr: 'a relié le compte[ de {name}] à une identité',
    en: 'bound the account[ of {name}] to an identity',
  },
  'user.update': {
    fr: 'a modifié le compte[ de {name}]',
    en: 'edited the account[ of {name}]',
    cases: {
      field: 'actif',
      is: {
        true: { fr: 'a réactivé le compte[ de {name}]', en: 'enabled the account[ of {name}]' },
        false: { fr: 'a désactivé le compte[ de {name}]', en: 'disabled the account[ of {name}]' },
      },
    },
  },
  'user.address': {
    fr: 'a changé l’adresse du compte[ de {name}]',
    en: 'changed the address of the account[ of {name}]',
  },
  'user.address_undo': {
    fr: 'a annulé le changement d’adresse du compte[ de {name}]',
    en: 'undid the change of address of the account[ of {name}]',
  },
  'user.role_add': {
    fr: 'a attribué un rôle au compte[ de {name}][ : {roles}]',
    en: 'granted a role to the account[ of {name}][: {roles}]',
  },
  'user.role_remove': {
    fr: 'a retiré un rôle au compte[ de {name}][ : {roles}]',
    en: 'removed a role from the account[ of {name}][: {roles}]',
  },
  'user.lapse': {
    fr: 'a laissé s’éteindre les droits du compte[ de {name}]',
    en: 'let the rights of the account[ of {name}] lapse',
  },
  'user.factor_add': {
    fr: 'a ajouté un second facteur au compte[ de {name}]',
    en: 'added a second factor to the account[ of {name}]',
  },
  'user.factor_remove': {
    fr: 'a retiré un second facteur du compte[ de {name}]',
    en: 'removed a second factor from the account[ of {name}]',
  },
  'user.factors_reset': {
    fr: 'a retiré tous les seconds facteurs du compte[ de {name}]',
    en: 'removed all second factors of the account[ of {name}]',
  },
  'user.sign_in_link': {
    fr: 'a créé un lien de connexion pour le compte[ de {name}]',
    en: 'created a sign-in link for the account[ of {name}]',
  },
  'session.create': { fr: 'a ouvert une session', en: 'signed in' },
  'session.second_factor': { fr: 'a montré son second facteur', en: 'showed the second factor' },
  'session.confirm': { fr: 'a confirmé son identité', en: 'confirmed who they are' },
  'session.refuse': { fr: 'n’a pas pu ouvrir de session', en: 'was refused when signing in' },
  'session.end': {
    fr: 'a fermé une session[ de {name}]',
    en: 'ended a session[ of {name}]',
    cases: {
      field: 'reason',
      is: {
        signed_out: { fr: 'a fermé sa session', en: 'signed out' },
        too_many_failures: {
          fr: 'a perdu sa session après trop d’échecs',
          en: 'lost the session after too many failures',
        },
      },
    },
  },
  'access_key.create': { fr: 'a créé une clé d’API', en: 'made an access key' },
  'access_key.rotate': { fr: 'a renouvelé une clé d’API', en: 'rotated an access key' },
  'access_key.end': { fr: 'a révoqué une clé d’API', en: 'revoked an access key' },
  'webhook.create': { fr: 'a créé un webhook', en: 'created a webhook' },
  'webhook.update': { fr: 'a modifié un webhook', en: 'edited a webhook' },
  'webhook.rotate': { fr: 'a renouvelé le secret d’un webhook', en: 'rotated the secret of a webhook' },
  'webhook.delete': { fr: 'a supprimé un webhook', en: 'deleted a webhook' },
  'webhook.test': { fr: 'a testé un webhook', en: 'tested a webhook' },
  'webhook.resend': { fr: 'a renvoyé un message d’un webhook', en: 'sent a message of a webhook again' },
  'webhook.disable': {
    fr: 'a désactivé un webhook qui échouait',
    en: 'disabled a webhook that was failing',
  },
  'person.export': {
    fr: 'a exporté les données d’une personne',
    en: 'exported the data of a person',
  },
  'person.download': {
    fr: 'a téléchargé l’export d’une personne',
    en: 'downloaded the export of a person',
  },
  'person.erase': {
    fr: 'a effacé les données d’une personne',
    en: 'erased the data of a person',
  },
  'export.create': { fr: 'a exporté une liste[ : {list}]', en: 'exported a list[: {list}]' },
  'app_source.create': {
    fr: 'a ajouté l’application[ {name}]',
    en: 'added the application[ {name}]',
  },
  'app_source.update': {
    fr: 'a modifié l’application[ {name}]',
    en: 'edited the application[ {name}]',
  },
  'app_source.set': {
    fr: 'a réglé l’application[ {name}]',
    en: 'configured the application[ {name}]',
  },
} satisfies Sentences

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
  [sentence, ...Object.values(sentence.cases?.is ?? {}), ...(sentence.ofSelf ? [sentence.ofSelf] : [])]
    .map((text) => text[language].replaceAll(/\[([^\]]*)\]/g, '$1').replaceAll(/\{\w+\}/g, ''))
    .join(' ')

const unknownAction: Text = { fr: 'a fait : {action}[ ({name})]', en: 'did: {action}[ ({name})]' }

/** French elides "de" before a vowel. English sentences have no "de". */
const elided = (text: string, name: string | null) =>
  /^[aeiouéèêàâîïôûœ]/iu.test(name ?? '') ? text.replace('de {name}', 'd’{name}') : text

function caseOf({ cases, ofSelf, ...plain }: Sentence, entry: SelectedAudit): Text {
  if (ofSelf && entry.user_id !== null && valueIn(entry, 'member_id') === entry.user_id) return ofSelf
  if (cases === undefined) return plain
  const value = String(valueIn(entry, cases.field))
  // A value may have the name of what every object has, such as `constructor`.
  return (Object.hasOwn(cases.is, value) ? cases.is[value] : undefined) ?? plain
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
