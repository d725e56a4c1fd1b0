import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { modules } from '../../../app.ts'
import { scopes } from '../../../platform/access/caller.ts'
import { eventTypes } from '../../webhooks/schema.ts'
import type { SelectedAudit } from '../schema.ts'
import { fieldLabels } from './fields.ts'
import type { Names, Person } from './names.ts'
import { changesOf, sentences, summaryOf } from './summary.ts'

const source = globSync('src/**/*.ts')
  .filter(
    (file) =>
      !/\.test\.ts$|\.test-|\.generated\./.test(file) && !file.startsWith('src/modules/audit/sentences/'),
  )
  .map((file) => readFileSync(file, 'utf8'))
const entities = [
  'mail',
  'person',
  'export',
  'session',
  ...modules.flatMap(({ audited = [] }) => audited).map(({ entity }) => entity),
]

/** Literals in the source that look like an action of an audited record, but for names of permission rules, scopes, keys and events. */
function actionsInSource(): Set<string> {
  const found = new Set<string>()
  const looksLikeAction = new RegExp(`'((?:${[...new Set(entities)].join('|')})\\.[a-z_]+)'(?!:)`, 'g')
  const rules = new Set(
    source.flatMap((text) => Array.from(text.matchAll(/ name: '(\w+\.\w+)'/g), ([, name]) => name)),
  )
  const names: string[] = [...scopes, ...eventTypes]
  for (const text of source) {
    for (const [, action = ''] of text.matchAll(looksLikeAction))
      if (!rules.has(action) && !names.includes(action)) found.add(action)
    for (const [, action = ''] of text.matchAll(/action: '(\w+\.\w+)'/g)) found.add(action)
    for (const [, actions = ''] of text.matchAll(/audits: '([^']+)'/g))
      for (const action of actions.split(', ')) found.add(action)
  }
  return found
}

/** Actions that the source puts together. Each template there must be listed here. */
const templates: Record<string, string[]> = {
  'acteur.': ['validate', 'badge', 'active', 'can_publish'],
  'payment_event.': ['replay', 'ignore'],
}

/** Actions of the resources that one declaration makes. */
const ofResources = [
  ...['publication_type.create', 'publication_type.update', 'app_source.create', 'app_source.update'],
  ...['search_term.create', 'search_term.update', 'search_term.delete'],
  ...['ground.create', 'ground.update', 'ground.delete'],
  ...['template.create', 'template.update', 'template.delete'],
  ...['publication.hide_in_commune', 'publication.show_in_commune'],
  ...['alerte.hide_in_commune', 'alerte.show_in_commune'],
]

test('every action that the source can write has a sentence', () => {
  const actions = actionsInSource()
  expect(actions.size).toBeGreaterThan(70)
  const starts = source.flatMap((text) =>
    Array.from(text.matchAll(/action: `([^$`]*)\$/g), ([, start = '']) => start),
  )
  expect(new Set(starts)).toEqual(new Set(Object.keys(templates)))
  for (const action of ofResources) actions.add(action)
  for (const [start, ends] of Object.entries(templates)) for (const end of ends) actions.add(`${start}${end}`)
  expect([...actions].filter((action) => !(action in sentences)).toSorted()).toEqual([])
  expect(Object.keys(sentences).filter((action) => !actions.has(action))).toEqual([])
})

test.each(['fr', 'en'] as const)('each sentence and label has words in %s', (language) => {
  for (const [action, { cases, ...usual }] of Object.entries(sentences)) {
    for (const text of [usual, ...Object.values(cases?.is ?? {})]) {
      expect(text[language], action).toMatch(/^[a-zéèà’']+[ [].*[^ .]$/u)
      expect(text[language].replaceAll(/\[[^[\]]*\]/g, ''), action).not.toMatch(/[[\]{}]/)
    }
  }
  for (const [field, label] of Object.entries(fieldLabels)) expect(label[language], field).toMatch(/^\S.*\S$/)
})

const zoe = '0199c9a3-5b8e-7cc1-9d2e-000000000001'
const erased = '0199c9a3-5b8e-7cc1-9d2e-000000000002'
const unnamed = '0199c9a3-5b8e-7cc1-9d2e-000000000003'
const addressed = '0199c9a3-5b8e-7cc1-9d2e-000000000004'
const people: Record<string, Person> = {
  [zoe]: { nom: 'Zoé Martin', erased: false },
  [erased]: { nom: null, erased: true },
  [unnamed]: { nom: ' ', erased: false },
  [addressed]: { nom: 'ada@example.org', erased: false },
}
const names = (name: string | null): Names => ({
  of: () => name,
  person: (id) => people[id] ?? null,
  referred: (field, id) => (field === 'user_id' ? (people[String(id)]?.nom ?? null) : null),
})
const entry = (values: Partial<SelectedAudit>): SelectedAudit => ({
  id: zoe,
  at: new Date(),
  user_id: zoe,
  user: null,
  action: 'publication.moderate',
  entity: 'publication',
  entity_id: 'x',
  acteur_id: null,
  acteur: null,
  before: null,
  after: null,
  app_source: 'backoffice',
  request_id: null,
  ...values,
})

describe('summaryOf', () => {
  test.each<[Partial<SelectedAudit>, string | null, string, string]>([
    [
      { after: { moderation_status: 'rejected' } },
      'Fête',
      'Zoé Martin a rejeté la publication «\u00a0Fête\u00a0»',
      'Zoé Martin rejected the publication “Fête”',
    ],
    [
      { after: { moderation_status: 'published' } },
      null,
      'Zoé Martin a publié la publication',
      'Zoé Martin published the publication',
    ],
    [
      { after: { moderation_status: 'approved' } },
      null,
      'Zoé Martin a accepté la publication',
      'Zoé Martin accepted the publication',
    ],
    [
      { user_id: null, app_source: null, action: 'claim.expire', entity: 'claim' },
      'Boule',
      'Le service a laissé expirer une revendication pour l’acteur «\u00a0Boule\u00a0»',
      'The service expired a claim to the organisation “Boule”',
    ],
    [
      { user_id: null, app_source: 'public', action: 'publication.report' },
      null,
      'Une personne non connectée a signalé la publication',
      'Somebody who was not signed in reported the publication',
    ],
    [
      { action: 'acteur.member_remove', entity: 'acteur', before: { member_id: 'somebody else' } },
      'Boule',
      'Zoé Martin a retiré un membre de l’équipe de l’acteur «\u00a0Boule\u00a0»',
      'Zoé Martin removed a member from the team of the organisation “Boule”',
    ],
    [
      { action: 'acteur.member_add', entity: 'acteur', after: { member_id: 'somebody', invited: true } },
      'Boule',
      'Zoé Martin a invité quelqu’un dans l’équipe de l’acteur «\u00a0Boule\u00a0»',
      'Zoé Martin invited somebody to the team of the organisation “Boule”',
    ],
    [
      {
        action: 'acteur.member_remove',
        entity: 'acteur',
        before: { member_id: 'somebody', invited: true },
      },
      'Boule',
      'Zoé Martin a retiré une invitation dans l’équipe de l’acteur «\u00a0Boule\u00a0»',
      'Zoé Martin withdrew an invitation to the team of the organisation “Boule”',
    ],
    [
      { action: 'acteur.member_remove', entity: 'acteur', before: { member_id: zoe } },
      'Boule',
      'Zoé Martin a quitté l’équipe de l’acteur «\u00a0Boule\u00a0»',
      'Zoé Martin left the team of the organisation “Boule”',
    ],
    [
      { action: 'thread.delete_message', entity: 'thread' },
      null,
      'Zoé Martin a annulé une réponse avant son envoi dans l’échange',
      'Zoé Martin took back a reply in the thread before it was sent',
    ],
    [
      {
        user_id: erased,
        action: 'user.role_add',
        entity: 'user',
        entity_id: zoe,
        after: { roles: ['support', 'moderator'] },
      },
      null,
      'Une personne effacée a attribué un rôle au compte de Zoé Martin : Assistance, Modération',
      'An erased person granted a role to the account of Zoé Martin: Support, Moderator',
    ],
    [
      {
        action: 'user.update',
        entity: 'user',
        entity_id: erased,
        after: { actif: false, nom: '(personal)' },
      },
      null,
      'Zoé Martin a désactivé le compte d’une personne effacée',
      'Zoé Martin disabled the account of an erased person',
    ],
    [
      {
        user_id: unnamed,
        action: 'session.end',
        entity: 'session',
        after: { user_id: zoe, reason: 'revoked' },
      },
      null,
      'Une personne sans nom a fermé une session de Zoé Martin',
      'A person without a name ended a session of Zoé Martin',
    ],
    [
      {
        user_id: null,
        action: 'session.create',
        entity: 'session',
        after: { user_id: zoe, method: 'email' },
      },
      null,
      'Zoé Martin a ouvert une session',
      'Zoé Martin signed in',
    ],
    [
      { action: 'acteur.badge', entity: 'acteur', before: { badge: 'Or' }, after: { badge: null } },
      'Boule',
      'Zoé Martin a retiré le badge de l’acteur «\u00a0Boule\u00a0»',
      'Zoé Martin removed the badge of the organisation “Boule”',
    ],
    [
      { action: 'acteur.badge', entity: 'acteur', before: { badge: null }, after: { badge: 'Or' } },
      'Boule',
      'Zoé Martin a changé le badge de l’acteur «\u00a0Boule\u00a0» : Or',
      'Zoé Martin changed the badge of the organisation “Boule”: Or',
    ],
    [
      {
        action: 'user.role_add',
        entity: 'user',
        entity_id: zoe,
        before: { roles: ['moderator'] },
        after: { roles: ['moderator', 'support'] },
      },
      null,
      'Zoé Martin a attribué un rôle au compte de Zoé Martin : Assistance',
      'Zoé Martin granted a role to the account of Zoé Martin: Support',
    ],
    [
      {
        action: 'user.role_remove',
        entity: 'user',
        entity_id: zoe,
        before: { roles: ['moderator', 'support'] },
        after: { roles: ['support'] },
      },
      null,
      'Zoé Martin a retiré un rôle au compte de Zoé Martin : Modération',
      'Zoé Martin removed a role from the account of Zoé Martin: Moderator',
    ],
    [
      { action: 'thread.close', entity: 'thread', after: { status: 'open' } },
      'n° 12',
      'Zoé Martin a rouvert l’échange n° 12',
      'Zoé Martin reopened the thread n° 12',
    ],
    [
      { user_id: addressed, action: 'thread.read', entity: 'thread' },
      'n° 12',
      'ada@example.org a marqué comme lu l’échange n° 12',
      'ada@example.org marked the thread n° 12 as read',
    ],
    [
      { action: 'test.made' },
      'X',
      'Zoé Martin a fait : test.made («\u00a0X\u00a0»)',
      'Zoé Martin did: test.made (“X”)',
    ],
  ])('%j is a sentence', (values, name, fr, en) => {
    expect(summaryOf(entry(values), names(name), 'fr')).toBe(fr)
    expect(summaryOf(entry(values), names(name), 'en')).toBe(en)
  })
})

test('changesOf lists each field once, with names for ids and without personal values', () => {
  const values = {
    before: { nom: '(personal)', actif: true, user_id: zoe },
    after: { actif: false, made: [1] },
  }
  const none = { before_name: null, after_name: null }
  expect(changesOf(entry(values), names(null), 'en')).toEqual([
    { field: 'nom', label: 'Name', before: null, after: null, ...none, personal: true },
    { field: 'actif', label: 'Active', before: true, after: false, ...none, personal: false },
    {
      field: 'user_id',
      label: 'Account',
      before: zoe,
      after: null,
      before_name: 'Zoé Martin',
      after_name: null,
      personal: false,
    },
    { field: 'made', label: 'made', before: null, after: [1], ...none, personal: false },
  ])
})
