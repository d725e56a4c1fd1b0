import Type from 'typebox'
import { expect, test } from 'vitest'
import { columnsOf, csvWriter } from './csv.ts'

const acteur = Type.Object({ id: Type.String(), nom: Type.String() })
const columns = columnsOf(
  Type.Object({
    text: Type.String(),
    number: Type.Number(),
    at: Type.Unsafe<Date>(Type.String()),
    acteur,
    words: Type.Array(Type.String()),
    items: Type.Array(acteur),
    can: Type.Array(Type.String()),
  }),
)
const row = {
  text: 'Fête; à, "Aix"',
  number: -4.5,
  at: new Date('2026-11-20T08:30:00Z'),
  acteur: { id: '1', nom: 'Amis', secret: 'x' },
  words: ['a', 'b'],
  items: [{ id: '2', nom: 'Club' }],
  can: ['delete'],
  secret: 'x',
}

test('writes only documented fields, nested records as separate columns, and no `can`', () => {
  const { head, rows } = csvWriter(columns, 'en')
  expect(head).toBe('text,number,at,acteur.id,acteur.nom,words,items\r\n')
  expect(rows([row, { ...row, text: 'a', acteur: null, words: null, items: [] }])).toBe(
    '"Fête; à, ""Aix""",-4.5,2026-11-20T08:30:00.000Z,1,Amis,"a, b","[{""id"":""2"",""nom"":""Club""}]"\r\n' +
      'a,-4.5,2026-11-20T08:30:00.000Z,,,,\r\n',
  )
})

test('writes French files with a byte order mark, semicolons and decimal commas', () => {
  const { head, rows } = csvWriter(columns.slice(0, 2), 'fr')
  expect(head).toBe('\uFEFFtext;number\r\n')
  expect(rows([row])).toBe('"Fête; à, ""Aix""";-4,5\r\n')
})

test.each(['=1+1', '+33 4', '-2', '@cmd', '＝1', '＋1', '－1', '＠x', '\tx', '\rx', '\u0000x', '\u0085x'])(
  'a text that begins as %j gets an apostrophe',
  (text) => {
    const written = csvWriter(columns.slice(0, 1), 'en').rows([{ text }])
    expect(written.replace(/^"|"?\r\n$/g, '')).toBe(`'${text}`)
  },
)

test.each([
  ['x;=1+cmd', `x;'=1+cmd`],
  ['x,@cmd;-1', `"x,'@cmd;'-1"`],
  ['x\t+1', `x\t'+1`],
  ['x;＝1', `x;'＝1`],
  ['x;"=1', `"x;""'=1"`],
  ['a ; b = c, 3-4 ; x=1', '"a ; b = c, 3-4 ; x=1"'],
])('%j becomes harmless for a spreadsheet of either language', (text, expected) => {
  expect(csvWriter(columns.slice(0, 1), 'en').rows([{ text }])).toBe(`${expected}\r\n`)
})

test('a line break within a text is quoted', () => {
  expect(csvWriter(columns.slice(0, 1), 'en').rows([{ text: 'a\nb' }])).toBe('"a\nb"\r\n')
})
