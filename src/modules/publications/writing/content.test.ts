import { expect, test } from 'vitest'
import { cpuMsOf } from '../../../../test/support/cpu.ts'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import type { ApiError } from '../../../platform/errors.ts'
import { separateBlocks } from './blocks.ts'
import { cleanContent, isWebUrl, sanitizeBody } from './content.ts'

const link = 'rel="nofollow noopener noreferrer"'

test.each([
  ['plain text', 'Rendez-vous samedi.\nÀ 8 h.', 'Rendez-vous samedi.\nÀ 8 h.'],
  ['signs of plain text', 'Moins < 5 € & plus > 3 €', 'Moins &lt; 5 € &amp; plus &gt; 3 €'],
  ['a heart', 'On <3 les pommes', 'On &lt;3 les pommes'],
  ['a tag that never ends', 'si a <b alors', 'si a &lt;b alors'],
  ['an address in brackets', 'Écrire à <jean@exemple.fr>', 'Écrire à &lt;jean@exemple.fr&gt;'],
  ['entities', 'caf&eacute; &amp; th&#233; &lt;b&gt;', 'café &amp; thé &lt;b&gt;'],
  [
    'what is kept',
    '<h2>A</h2><p>b <strong>c</strong><br>d</p><ul><li>e</li></ul>',
    '<h2>A</h2><p>b <strong>c</strong><br />d</p><ul><li>e</li></ul>',
  ],
  ['other headings', '<h1>A</h1><h6>B</h6>', '<h2>A</h2><h4>B</h4>'],
  ['other blocks', '<div>a</div><div>b</div>', 'a<br />b'],
  [
    'a link',
    '<a href="https://exemple.fr/?a=1&b=2">x</a>',
    `<a href="https://exemple.fr/?a=1&amp;b=2" ${link}>x</a>`,
  ],
  [
    'a link with its own rel',
    '<a href="http://exemple.fr" rel="follow" target=_blank onclick=x()>x</a>',
    `<a href="http://exemple.fr" ${link}>x</a>`,
  ],
  ['mail', '<a href="mailto:a@b.fr">écrire</a>', 'écrire'],
  ['a relative link', '<a href="/admin">x</a><a href="//evil.example">y</a>', 'xy'],
  ['script', 'a<script>alert(1)</script>b', 'ab'],
  ['script that never ends', 'a<script>alert(1)', 'a'],
  ['script in script', '<scr<script>ipt>alert(1)</script>', '&lt;scr'],
  ['style', '<style>p{}</style>a', 'a'],
  ['attributes', '<p onclick="x()" style="a:b" class="c" id="d">a</p>', '<p>a</p>'],
  ['an image', '<img src=x onerror=alert(1)>a', 'a'],
  ['a drawing', '<svg onload=alert(1)><script>x</script></svg>a', 'a'],
  ['mathematics', '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>a', ''],
  ['a frame', '<iframe srcdoc="x"></iframe>a', 'a'],
  ['a comment', 'a<!-- <b>x</b> -->b', 'ab'],
  ['javascript', '<a href="javascript:alert(1)">x</a>', 'x'],
  ['javascript in disguise', '<a href=" jAvA\tscript:alert(1)">x</a><a href="&#106;avascript:x">y</a>', 'xy'],
  ['data', '<a href="data:text/html,<script>x</script>">x</a>', 'x'],
  ['a quote that breaks out', '<a href="https://e.fr/&quot; onclick=&quot;x()">x</a>', 'x'],
  ['conditions of Word', 'a<![if gte mso 9]>b<![endif]>c', 'abc'],
  ['a namespace of Word', '<?xml:namespace prefix = o ns = "urn:x:office" /><p>a<o:p></o:p></p>', '<p>a</p>'],
  ['a comment of Word', 'a<!--[if gte mso 9]><xml><w:x>b</w:x></xml><![endif]-->c', 'ac'],
  [
    'signs within quotes',
    '<p title="1 < 2 > 0">a <a title=\'<b>\' href="https://e.fr/">x</a></p>',
    `<p>a <a href="https://e.fr/" ${link}>x</a></p>`,
  ],
  ['a quote that never ends', '<a title="x>y</a> <b>z</b>', '&lt;a title="x&gt;y <b>z</b>'],
  ['a character section', 'a<![CDATA[b]]>c', 'a&lt;![CDATA[b]]&gt;c'],
  ['a carriage return as an entity', 'a&#13;b', 'a\nb'],
  ['a form', '<form action=x><input value=y><button>z</button></form>', 'z'],
  ['text that turns', 'a\u202eb\u2066c', 'abc'],
  ['controls', 'a\u0000\u0007b\r\nc\td', 'ab\nc\td'],
  ['half a character', 'a\ud800b', 'a\ufffdb'],
  ['letters in pieces', 'e\u0301te\u0301', 'été'],
])('sanitizeBody: %s', (_name, given, expected) => {
  expect(sanitizeBody(given)).toBe(expected)
})

test.each([
  ['a table', '<table><tr><td>Mardi</td><td>fermé</td></tr></table>', 'Mardi · fermé'],
  [
    'a table of rows',
    'Horaires<table><thead><tr><th>Jour</th><th>Heures</th></tr></thead><tbody>\n<tr><td>Lundi</td>\n<td>9 h</td></tr><tr><td>Mardi</td><td></td></tr></tbody></table>Merci',
    'Horaires<br />Jour · Heures<br />Lundi · 9 h<br />Mardi<br />Merci',
  ],
  [
    'cells with paragraphs',
    '<table><tr><td><p>Mardi</p></td><td><p><b>fermé</b></p></td></tr></table>',
    'Mardi · <b>fermé</b>',
  ],
  [
    'cells with blocks',
    '<table><tr><td><p>a</p><p>b</p></td><td><ul><li>c</li></ul></td><td>d</td></tr></table>',
    'a<br />b<ul><li>c</li></ul>d',
  ],
  [
    'definitions',
    '<dl><dt>Mardi</dt><dd>fermé</dd><dt>Jeudi :</dt><dd>9 h</dd></dl>',
    'Mardi : fermé<br />Jeudi : 9 h',
  ],
  ['a quotation', 'a<blockquote>b</blockquote>c', 'a<br />b<br />c'],
  [
    'a quotation of paragraphs',
    '<p>a</p><blockquote><p>b</p></blockquote><p>c</p>',
    '<p>a</p><p>b</p><p>c</p>',
  ],
  [
    'a block after text',
    'Salle des fêtes<div>20h30</div>entrée libre',
    'Salle des fêtes<br />20h30<br />entrée libre',
  ],
  ['blocks after inline text', '<b>Salle</b><section>20h30</section>', '<b>Salle</b><br />20h30'],
  ['blocks within blocks', '<div><div>a</div><article> b </article></div>\n<p>c</p>', 'a<br />b <p>c</p>'],
  [
    'blocks in cells',
    '<table><tr><td><div>a</div><div>b</div></td><td><div>c</div></td></tr></table>',
    'a<br />b · c',
  ],
  [
    'a removed element between blocks',
    '<div>a</div><style>p > b {}</style>b<!-- c --><div>d</div>',
    'a<br />b<br />d',
  ],
  ['a rule', 'a<hr>b<hr/>', 'a<br />b'],
  ['a figure', '<figure><img src=x><figcaption>légende</figcaption></figure>texte', 'légende<br />texte'],
  [
    'text beside empty cells',
    '<table><tr><td> </td><td>a</td><td><img src=x></td></tr></table>b',
    'a<br />b',
  ],
])('sanitizeBody keeps words apart: %s', (_name, given, expected) => {
  expect(sanitizeBody(given)).toBe(expected)
  expect(sanitizeBody(sanitizeBody(given))).toBe(expected)
})

test('separating blocks takes linear time', () => {
  const hostile = [
    '<td><p>',
    '<td>',
    '</td><td>',
    '<table>',
    '</dt>',
    '<hr>\n',
    '<td> <p>x',
    `<hr>${' '.repeat(1_000)}x`,
    ': ',
    '<br>\ue001 ',
    '<a b="<a c=\'',
    '<a b="<a b=" b="',
    '<!-- <!',
    '<![if ',
    '<?a ',
    '<p a= = ',
  ]
  for (const part of hostile) {
    const text = part.repeat(2_000)
    expect([part, cpuMsOf(() => separateBlocks(text)) < 200]).toEqual([part, true])
  }
})

const piece = fc.oneof(
  fc.constantFrom(
    '<',
    '>',
    '&',
    '"',
    "'",
    '</',
    '/>',
    '<!--',
    '-->',
    '&lt',
    '&amp;',
    '<p>',
    '</p>',
    '<a href=',
    '<a href="https://e.fr/">',
    '</a>',
    '<div>',
    '</div>',
    '<script>',
    '</script>',
    '<ul><li>',
    '<svg>',
    '<b',
    'javascript:',
    ' onclick=x',
    '<title>',
    '<br>',
    '\n',
    'é',
    '<h1>',
    '<![if gte mso 9]>',
    '<![endif]>',
    '<?xml:namespace prefix = o ns = "urn:x" />',
    '<o:p>',
    '<a title="1 < 2" href="https://e.fr/">',
    ' title="',
    "='",
    'a&#13;b',
    '&#13;',
    '<td>',
    '</td>',
    '<hr>',
    '<dt>',
    '</dt>',
    '<style>',
    '</style>',
    '<![CDATA[',
  ),
  fc.string({ maxLength: 5 }),
)

test('the output of sanitizeBody is stable and contains only the allowed subset', () => {
  const allowed =
    /<(?!\/?(?:p|ul|ol|li|strong|b|em|i|u|h2|h3|h4)>|br \/>|\/a>|a href="https?:[^"<>]*" rel="nofollow noopener noreferrer">)/
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const once = sanitizeBody(pieces.join(''))
      expect(once).not.toMatch(allowed)
      expect(sanitizeBody(once)).toBe(once)
    }),
    { numRuns: propertyRuns(10) },
  )
})

test('text without markup keeps all visible characters', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', ' ', '<', '>', '&', '5', '=', '"', 'é'), { maxLength: 40 }),
      (signs) => {
        const text = signs.join('').trim()
        // A letter right after "<" may begin a tag, and "&" an entity.
        fc.pre(!/<\/?a/.test(text) && !/&a/.test(text))
        const shown = sanitizeBody(text)
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&')
        expect(shown).toBe(text)
      },
    ),
  )
})

test('sanitizeBody is fast on hostile text', () => {
  const hostile = ['<', '<a ', '<!--', '&', '<p>', '<b', '</div', '<a href="', '<div'].map((part) =>
    part.repeat(20_000 / part.length),
  )
  const spentMs = cpuMsOf(() => {
    for (const text of hostile) sanitizeBody(text)
  })
  expect(spentMs).toBeLessThan(3_000)
})

const problemOf = (body: string): unknown => {
  try {
    cleanContent({ body })
    return null
  } catch (error) {
    return (error as ApiError).details?.map(({ message }) => message.en)
  }
}
const fifty = (inside: string) => `${'<b>'.repeat(50)}${inside}${'</b>'.repeat(50)}`

test.each<[string, string, string | null]>([
  ['2 000 tags', 'a<br>'.repeat(2_000), null],
  ['2 001 tags', 'a<br>'.repeat(2_001), 'must have at most 2000 tags'],
  ['tags that are not kept', 'a<x:y></x></div z>'.repeat(667), 'must have at most 2000 tags'],
  ['50 within each other', fifty('a'), null],
  ['51 within each other', fifty('<i>a</i>'), 'must not nest tags more than 50 deep'],
  ['51 without an end', `${'<em>'.repeat(51)}a`, 'must not nest tags more than 50 deep'],
  ['paragraphs without an end', '<p>a'.repeat(60), null],
  ['a list without ends', `<ul>${'<li>a'.repeat(60)}`, null],
  ['one after another', '<b>a</b>'.repeat(60), null],
  ['10 000 lone signs', '<'.repeat(10_000), null],
  [
    '10 001 lone signs',
    '<'.repeat(10_001),
    'must have at most 40000 characters as HTML, where &lt; stands for <',
  ],
  [
    'signs that get long',
    '&'.repeat(8_001),
    'must have at most 40000 characters as HTML, where &lt; stands for <',
  ],
])('what a body may hold: %s', (_name, body, problem) => {
  expect(problemOf(body)).toEqual(problem && [problem])
})

test('the largest accepted body costs little, whatever it contains', () => {
  const parts = [
    '<p>',
    '<b>',
    '<',
    '<a ',
    '<!--',
    '&',
    '<b',
    '</div ',
    '<a href="',
    '<?',
    '<svg>',
    '&lt;',
    '>',
    '<x:y>',
  ]
  const spentMs = cpuMsOf(() => {
    for (const part of parts) problemOf(part.repeat(40_000 / part.length))
    problemOf('<a href="https://exemple.fr/">x</a>'.repeat(1_000))
  })
  // About 5 ms each, 12 at most; took 1 200 without the limit.
  expect(spentMs).toBeLessThan(600)
})

test.each([
  ['https://exemple.fr', true],
  ['HTTP://exemple.fr/a?b=c#d', true],
  ['https://exemple.fr/é', true],
  ['ftp://exemple.fr', false],
  ['javascript:alert(1)', false],
  ['//exemple.fr', false],
  ['exemple.fr', false],
  ['https://', false],
  ['https://user:pass@exemple.fr', false],
  ['https://exemple.fr/"><script>', false],
  ['https://exemple.fr/a b', false],
  ['https:\\\\exemple.fr', false],
])('isWebUrl: %s', (url, expected) => {
  expect(isWebUrl(url)).toBe(expected)
})

test('a title is one line of visible text', () => {
  expect(cleanContent({ title: '  Fête\n de \t la pomme\u202e ' })).toEqual({ title: 'Fête de la pomme' })
  for (const title of ['   ', '\u200b\u200b', '\u00a0']) {
    expect(() => cleanContent({ title })).toThrow()
  }
})
