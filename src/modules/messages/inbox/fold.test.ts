import { expect, test } from 'vitest'
import { foldQuote } from './fold.ts'

const outlook =
  'De : Parvis <parvis@example.org>\nEnvoyé : samedi 28 novembre 2026 09:12\nÀ : odile@example.org\nObjet : Réponse\n\nBonjour,\n\nVoilà.'
const gmail =
  'Le sam. 28 nov. 2026 à 09:12, Parvis <parvis@example.org> a écrit :\n\n> Bonjour,\n> nous nous en occupons.\n>'
/** What mail programs write below an answer. */
const quotes: Record<string, string> = {
  Gmail: gmail,
  'Gmail, folded':
    'Le sam. 28 nov. 2026 à 09:12, Mairie de Saint-Martin-le-Vieux <\nreponse+support@example.org> a écrit :\n> Bonjour',
  Thunderbird: 'Le 28/11/2026 à 09:12, Parvis a écrit :\n> Bonjour',
  English:
    'On Aug 22, 2011, at 7:37 PM, defunkt<reply@reply.github.com> wrote:\n\n\n\n\n> Loader seems to be working well.',
  'English, folded':
    'On Dec 16, 2011, at 12:47 PM, Corey Donohoe\n<reply@reply.github.com>\nwrote:\n\n> Was this fixed already?',
  German: 'Am 28.11.2026 um 09:12 schrieb Parvis <parvis@example.org>:\n> Bonjour',
  Outlook: outlook,
  'Outlook, with a rule':
    '________________________________\nDe: Parvis <parvis@example.org>\nDate: samedi 28 novembre 2026\nObjet: Réponse\n\nBonjour',
  'Outlook, marked':
    '*From:* Google <noreply@example.org>\n*Sent:* Thursday, February 09, 2012 1:36 PM\n*To:* jow@example.org\n*Subject:* x\n\nDear user',
  Orange: '----- Message d’origine -----\nDe: Parvis\n\nBonjour',
  'nothing but signs': '> Bonjour\n\n> encore',
}

test.for(Object.entries(quotes))('folds what %s quotes', ([, quoted = '']) => {
  const said = 'Merci beaucoup.\n\nOdile'
  expect(foldQuote(`${said}\n\n${quoted}`)).toEqual({ said, quoted: quoted.trim() })
})

test.for([
  ['an answer between the lines', '> Quand ?\nLundi.\n> Où ?\nÀ la mairie.'],
  ['a quote alone', gmail],
  ['a text about a sender', 'De : la place\nà la gare, il y a un trou.'],
  ['a list of facts', 'Le lieu :\nrue du Puits'],
  ['an answer below the quote', `${gmail}\n\nMerci !`],
  ['a rule', 'Avant\n____________________\nAprès'],
] as const)('keeps %s', ([, text]) => {
  expect(foldQuote(text)).toEqual({ said: text, quoted: null })
})

test('folds a text that repeats its signs many times within a moment', () => {
  const begun = performance.now()
  for (const line of ['> ', '>>>>', 'On a ', 'De : x', '_'.repeat(30), 'Le x a écrit '])
    foldQuote(`${`${line}\n`.repeat(10_000)}`)
  foldQuote(`Le ${'a écrit '.repeat(20_000)}`)
  expect(performance.now() - begun).toBeLessThan(5_000)
})
