import { expect, test } from 'vitest'
import { parseMailBoxUrl, parseMailUrl } from './mail-url.ts'

const PLAIN = { host: 'mail.example.fr', port: 587, secure: false, requireTls: false, auth: null }

test.for([
  ['smtp://mail.example.fr', PLAIN],
  ['smtp://MAIL.example.fr:25/', { ...PLAIN, port: 25 }],
  ['smtp://mail.example.fr?tls=required', { ...PLAIN, requireTls: true }],
  ['smtps://mail.example.fr', { ...PLAIN, port: 465, secure: true }],
  ['smtp://a%40b:p%2F%3A%25@mail.example.fr', { ...PLAIN, auth: { user: 'a@b', pass: 'p/:%' } }],
  ['smtp://zo%C3%A9:%C3%A9@mail.example.fr', { ...PLAIN, auth: { user: 'zoé', pass: 'é' } }],
  ['smtp://[::1]:2525', { ...PLAIN, host: '::1', port: 2525 }],
  ['smtp://127.0.0.1', { ...PLAIN, host: '127.0.0.1' }],
  ['smtp://courrier.évry.fr', { ...PLAIN, host: 'courrier.xn--vry-9la.fr' }],
] as const)('reads %s', ([url, server]) => {
  expect(parseMailUrl(url)).toEqual(server)
})

test.for([
  '',
  'mail.example.fr',
  'mail.example.fr:25',
  'http://mail.example.fr',
  'smtp:mail.example.fr',
  'smtp://',
  'smtp://:25',
  'smtp://mail.example.fr:0',
  'smtp://mail.example.fr:70000',
  'smtp://mail.example.fr:x',
  'smtp://mail.example.fr/inbox',
  'smtp://mail.example.fr#x',
  'smtp://mail.example.fr?tls=maybe',
  'smtp://mail.example.fr?tls',
  'smtp://mail.example.fr?pool=true',
  'smtp://mail.example.fr?tls=required&tls=required',
  'smtp://user@mail.example.fr',
  'smtp://:sesame@mail.example.fr',
  'smtp://user:sesame%@mail.example.fr',
  'smtp://user:sesame%0D@mail.example.fr',
  'smtp://user:sesame#1@mail.example.fr',
  'smtp://user:sesame/1@mail.example.fr',
])('refuses %j in one sentence without the password', (url) => {
  expect(() => parseMailUrl(url)).toThrow(/^(?!.*sesame)[^\n]+[^.]$/)
})

const BOX = {
  ...{ host: 'imap.example.fr', port: 993, secure: true, requireTls: false, folder: 'INBOX' },
  auth: { user: 'reponse@example.fr', pass: 'p/é' },
}
const of = 'reponse%40example.fr:p%2F%C3%A9@'

test.for([
  [`imaps://${of}imap.example.fr`, BOX],
  [`imaps://${of}imap.example.fr:1993/Réponses/À%20lire`, { ...BOX, port: 1993, folder: 'Réponses/À lire' }],
  [`imap://${of}imap.example.fr`, { ...BOX, port: 143, secure: false, requireTls: true }],
  [`imap://${of}127.0.0.1`, { ...BOX, host: '127.0.0.1', port: 143, secure: false }],
  [`imap://${of}[::1]`, { ...BOX, host: '::1', port: 143, secure: false }],
] as const)('reads the mailbox %s', ([url, box]) => {
  expect(parseMailBoxUrl(url)).toEqual(box)
})

test.for([
  ...[
    '',
    'imap.example.fr',
    'https://a:sesame@imap.example.fr',
    'smtp://a:sesame@imap.example.fr',
    'imaps://',
  ],
  ...['imaps://imap.example.fr', 'imaps://a@imap.example.fr', 'imaps://:sesame@imap.example.fr'],
  ...['imaps://a:sesame@imap.example.fr?tls=no', 'imaps://a:sesame@imap.example.fr#x'],
  ...['imaps://a:sesame@imap.example.fr/%zz', 'imaps://a:sesame@imap.example.fr:0'],
])('refuses the mailbox %s without quoting it', (url) => {
  expect(() => parseMailBoxUrl(url)).toThrow(/^(?!.*sesame)/)
})
