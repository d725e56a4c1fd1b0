import { expect, test } from 'vitest'
import { readText } from './read-text.ts'

const latin = Buffer.from('F\xeate \x80', 'latin1')
const xml = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>F\xeate</a>', 'latin1')

test.each([
  ['UTF-8 without saying so', Buffer.from('Fête €'), '', 'Fête €'],
  ['Windows-1252 without saying so', latin, 'text/csv', 'Fête €'],
  ['Windows-1252, stated', latin, 'text/csv; charset="windows-1252"', 'Fête €'],
  ['a charset that does not exist', Buffer.from('Fête'), 'text/csv; charset=klingon', 'Fête'],
  [
    'bytes that are not of the stated charset',
    Buffer.from([0x61, 0xff]),
    'text/csv; charset=utf-8',
    'a\ufffd',
  ],
  ['an XML declaration', xml, 'application/xml', '<?xml version="1.0" encoding="ISO-8859-1"?><a>Fête</a>'],
  ['UTF-8 with its mark, over the header', Buffer.from('\ufeffFête'), 'text/csv; charset=latin1', 'Fête'],
  ['UTF-16 with its mark', Buffer.from('\ufeffFête', 'utf16le'), '', 'Fête'],
  ['UTF-16 the other way', Buffer.from('\ufeffFête', 'utf16le').swap16(), '', 'Fête'],
  ['nothing', Buffer.alloc(0), '', ''],
])('decodes %s', (_title, body, contentType, text) => {
  expect(readText({ body, headers: new Map([['content-type', contentType]]) })).toBe(text)
})
