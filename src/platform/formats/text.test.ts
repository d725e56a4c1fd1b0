import { expect, test } from 'vitest'
import { fold, lettersBetween, oneLine, slugify } from './text.ts'

test.each([
  ["L'Haÿ-les-Roses", 'l hay les roses'],
  ['  SAINT-ÉTIENNE ', 'saint etienne'],
  ['Œuilly', 'oeuilly'],
  ['Curriculum VITÆ, ex æquo', 'curriculum vitae ex aequo'],
  ['Crème brûlée, 250 m²', 'creme brulee 250 m2'],
  ['𝐁𝐨𝐥𝐝 ™', 'bold tm'],
  ['Ελλάδα', 'ελλαδα'],
  ['…', ''],
])('%s folds to "%s"', (text, folded) => expect(fold(text)).toBe(folded))

test.each([
  ["L'Haÿ-les-Roses", 'l-hay-les-roses'],
  ['Œuilly', 'oeuilly'],
  ['« Fête » du village !', 'fete-du-village'],
  ['東京', ''],
  ['-a-', 'a'],
  ['Évian', 'evian'],
  ['Øster', 'ster'],
  ['a'.repeat(300), 'a'.repeat(180)],
  [`${'a'.repeat(179)} b`, 'a'.repeat(179)],
])('%s has the slug "%s"', (name, slug) => expect(slugify(name)).toBe(slug))

test.each([
  ['  Le  Floc’h\r\n', 'Le Floc’h'],
  ['1\u2028place\u00a0de\tla\u0085Mairie', '1 place de la Mairie'],
  ['a\0b', 'a\0b'],
])('%j becomes the line "%s"', (text, line) => expect(oneLine(text)).toBe(line))

test.each([
  ['boigne', 'boigne', 0],
  ['boigne', 'bogne', 1],
  ['boigne', 'boignes', 1],
  ['boigne', 'baigne', 1],
  ['boigne', 'biogne', 2],
  ['', 'ab', 2],
])('"%s" and "%s" are %i letters apart', (one, other, letters) => {
  expect([lettersBetween(one, other), lettersBetween(other, one)]).toEqual([letters, letters])
})
