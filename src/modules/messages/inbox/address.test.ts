import { expect, test } from 'vitest'
import { readConfig, settingsOf } from '../../../platform/config/config.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { messages } from '../module.ts'
import { messagesSettings } from '../settings.ts'
import { answersTo, namesIn } from './address.ts'

const url = 'imaps://reponse%40example.org:sesame@imap.example.org'
const read = (env: Record<string, string>) => {
  const all = { MAIL_FROM: 'Parvis <parvis@example.org>', ...env }
  return readConfig([messages], all, { needsTokens: false })
}
const name = `support-${uuidv7()}`

test('answers go to the inbox, else to SUPPORT_REPLY_TO, else nowhere', () => {
  expect(answersTo(read({}), name)).toEqual({})
  const byHand = { SUPPORT_REPLY_TO: 'aide@example.org' }
  expect(answersTo(read(byHand), name)).toEqual({ replyTo: 'aide@example.org' })
  const own = 'reponse@example.org'
  expect(answersTo(read({ ...byHand, MAIL_INBOX_URL: url }), name)).toEqual({ replyTo: own, bouncesTo: own })
  const marked = read({ MAIL_INBOX_URL: url, MAIL_INBOX_ADDRESS: 'reponse+{token}@example.org' })
  const address = `reponse+${name}@example.org`
  expect(answersTo(marked, name)).toEqual({ replyTo: address, bouncesTo: address })
})

test('an inbox of another domain than the sender gets no bounces', () => {
  const elsewhere = read({ MAIL_INBOX_URL: url, MAIL_INBOX_ADDRESS: 'reponse@example.net' })
  expect(answersTo(elsewhere, name)).toEqual({ replyTo: 'reponse@example.net' })
})

test.for([
  [{ MAIL_INBOX_URL: url.replace('%40example.org', '') }, 'MAIL_INBOX_ADDRESS must be set'],
  [{ MAIL_INBOX_URL: 'imaps://imap.example.org' }, 'MAIL_INBOX_URL must be imaps:'],
  [{ MAIL_INBOX_URL: url, MAIL_INBOX_ADDRESS: 'reponse' }, 'MAIL_INBOX_ADDRESS must be one plain'],
  [{ MAIL_INBOX_URL: url, MAIL_INBOX_ADDRESS: 'a@{token}.org' }, 'MAIL_INBOX_ADDRESS must be one plain'],
  [
    { MAIL_INBOX_URL: url, MAIL_INBOX_ADDRESS: 'a{token}{token}@b.org' },
    'MAIL_INBOX_ADDRESS must be one plain',
  ],
  [
    { MAIL_INBOX_URL: url, MAIL_INBOX_ADDRESS: 'accueil-mairie+{token}@b.org' },
    'MAIL_INBOX_ADDRESS must be shorter',
  ],
] as const)('a wrong setting stops the start: %o', ([env, sentence]) => {
  expect(() => read(env)).toThrow(sentence)
})

test('names are read from addresses of the inbox first, then from Message-IDs, in any case', () => {
  const { inbox } = settingsOf(
    read({ MAIL_INBOX_URL: url, MAIL_INBOX_ADDRESS: 'reponse+{token}@example.org' }),
    messagesSettings,
  )
  if (inbox === null) throw new Error('there is no inbox')
  const other = `reclamation-answer-${uuidv7()}`
  const addresses = [
    ...['reponse@example.org', `autre+${name}@example.org`, `reponse+${name}@example.net`],
    ...[`Reponse+${name.toUpperCase()}@Example.org`, 'reponse+support@example.org'],
  ]
  const ids = ['<a@b>', `<${other}@example.org>`, `<${uuidv7()}@example.org>`, name]
  expect(namesIn(inbox, addresses, ids)).toEqual([name, other])
})
