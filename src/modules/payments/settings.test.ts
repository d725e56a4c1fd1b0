import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig, settingsOf, withStoredSecrets } from '../../platform/config/config.ts'
import { planOf, pricesOf } from './plans.ts'
import { paymentsSettings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'parvis-plans-'))
afterAll(() => rmSync(folder, { recursive: true }))
const modules = [{ settings: { own: paymentsSettings } }]
const read = (env: Record<string, string>) => settingsOf(readConfig(modules, env), paymentsSettings)
const written = (text: string) => {
  const file = join(folder, 'plans.json')
  writeFileSync(file, text)
  return { PLANS_FILE: file }
}

test('by default there are no secrets and no plans; a price is then its own plan', () => {
  const { signingSecrets, plans } = read({})
  expect(signingSecrets).toEqual([])
  expect(planOf(plans, 'commerce')).toEqual({ plan: 'commerce', label: 'commerce' })
  expect(planOf(plans, null)).toEqual({ plan: null, label: null })
})

test('splits several secrets at commas', () => {
  expect(read({ PAYMENT_SIGNING_SECRETS: 'whsec_new, whsec_old,' }).signingSecrets).toEqual([
    'whsec_new',
    'whsec_old',
  ])
})

test('creates and keeps a secret with the embedded database when none is set', () => {
  const secret = (name: string) => `kept ${name}`
  const kept = (env: Record<string, string>) =>
    settingsOf(withStoredSecrets(readConfig(modules, env), modules, secret), paymentsSettings).signingSecrets
  expect(kept({})).toEqual(['kept paymentSigningSecret'])
  expect(kept({ PAYMENT_SIGNING_SECRETS: 'whsec_given' })).toEqual(['whsec_given'])
})

test('reads plans from a file, several prices per plan', () => {
  const commerce = { plan: 'commerce', label: 'Commerce' }
  const { plans } = read(written(JSON.stringify({ mensuel: commerce, annuel: commerce })))
  expect(planOf(plans, 'annuel')).toEqual(commerce)
  expect(pricesOf(plans, ['commerce', 'other', 'mensuel'])).toEqual([
    'mensuel',
    'annuel',
    'commerce',
    'other',
  ])
})

const shape =
  'PLANS_FILE must be a JSON file such as {"commerce_mensuel": {"plan": "commerce", "label": "Commerce"}}.'
test.each([
  ['', shape],
  ['{', shape],
  ['[]', shape],
  ['null', shape],
  ['{"a":"commerce"}', shape],
  ['{"a":{"plan":"commerce"}}', shape],
  ['{"a":{"plan":"Commerce!","label":"Commerce"}}', shape],
  ['{"a":{"plan":"commerce","label":""}}', shape],
  ['{"a":{"plan":"commerce","label":"C","price":12}}', shape],
  [
    '{"a":{"plan":"c","label":"One"},"b":{"plan":"c","label":"Two"}}',
    'PLANS_FILE names a file that gives c two labels.',
  ],
  ...['commerce mensuel', 'été_2026', '20260101', 'FR7630006000011234567890189'].map(
    (price): [string, string] => [
      JSON.stringify({ [price]: { plan: 'c', label: 'C' } }),
      `PLANS_FILE names a file with the price "${price}", which is never stored: use its id, or another lookup key.`,
    ],
  ),
])('the plans %j stop the start', (text, sentence) => {
  expect(() => read(written(text))).toThrow(sentence)
})

test('a missing file stops the start', () => {
  expect(() => read({ PLANS_FILE: join(folder, 'none.json') })).toThrow(
    'PLANS_FILE must be a file that this user may read.',
  )
})
