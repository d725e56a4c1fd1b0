import { expect, test } from 'vitest'
import { hoursParagraph, type When, withoutHours } from './hours.ts'

const when = (text: string): When => {
  const [date_debut = null, heure_debut = null, date_fin = null, heure_fin = null] = text
    .split(' ')
    .map((part) => (part === '-' ? null : part))
  return { date_debut, date_fin, heure_debut, heure_fin }
}

test.each([
  ['2026-12-01 20:30 - 22:30', 'Le mardi 1er décembre, de 20 h 30 à 22 h 30'],
  ['2026-12-01 20:30 2026-12-01 22:30', 'Le mardi 1er décembre, de 20 h 30 à 22 h 30'],
  ['2026-12-02 09:05 - -', 'Le mercredi 2 décembre, à 9 h 05'],
  ['2026-08-15 20:00 - 00:00', 'Le samedi 15 août, de 20 h à minuit'],
  ['2026-12-01 20:30 2026-12-02 02:00', 'Du mardi 1er décembre à 20 h 30 au mercredi 2 décembre à 2 h'],
  ['2026-12-01 20:30 2026-12-02 -', 'Du mardi 1er décembre à 20 h 30 au mercredi 2 décembre'],
  ['2026-12-01 - 2026-12-02 -', null],
  ['- - - -', null],
])('%s in words', (text, words) => {
  const paragraph = hoursParagraph([when(text)])
  expect(paragraph).toBe(words && `<p>${words}</p>`)
  expect(withoutHours(`${paragraph ?? ''}Texte`)).toBe('Texte')
})

test('lists the first twenty times, one per line', () => {
  const times = Array.from({ length: 23 }, () => when('2026-12-01 20:30 - -'))
  const paragraph = hoursParagraph(times) ?? ''
  expect(paragraph.split('<br />')).toHaveLength(21)
  expect(paragraph).toContain('<br />et 3 autres dates</p>')
  expect(withoutHours(`${paragraph}<p>Le lundi, à 3 h</p>`)).toBe('<p>Le lundi, à 3 h</p>')
})
