import { expect, test } from 'vitest'
import { readItems } from '../read.ts'

const url = 'https://m.example/feeds/news.xml'

async function read(body: string | Buffer, contentType: string | null = null) {
  const parts = [{ body: Buffer.from(body as string), contentType }]
  const input = { type: 'rss', mapping: null, url, parts, now: new Date('2026-11-20T12:00:00Z') } as const
  return (await Array.fromAsync(readItems(input))).flat()
}

/** The content of the only item. */
async function readOne(body: string | Buffer, contentType?: string) {
  const [item, ...more] = await read(body, contentType)
  expect(more).toEqual([])
  expect(item?.refused).toBeNull()
  return item?.content
}

const spaces = ['dc="http://purl.org/dc/elements/1.1/"', 'media="http://search.yahoo.com/mrss/"'].concat(
  'itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'content="http://purl.org/rss/1.0/modules/content/"',
)
const rss = (item: string, attributes = '') =>
  `<rss version="2.0" ${spaces.map((space) => `xmlns:${space}`).join(' ')} ${attributes}><channel><title>x</title><item>${item}</item></channel></rss>`
const atom = (entry: string, attributes = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title>x</title><entry>${entry}</entry></feed>`
const link = (href: string, words: string) =>
  `<a href="${href}" rel="nofollow noopener noreferrer">${words}</a>`
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['by its type', `<content type="application/octet-stream">\n${base64('<p>Où ça ?</p>')}\n</content>`],
  ['by its mode', `<content mode="base64" type="text/html">${base64('<p>Où ça ?</p>')}</content>`],
  ['of a summary', `<summary mode='base64'>${base64('<p>Où ça ?</p>')}</summary>`],
])('content in base64 is decoded: %s', async (_how, content) => {
  expect(await readOne(atom(`<id>1</id><title>Un</title>${content}`))).toMatchObject({
    body: '<p>Où ça ?</p>',
  })
})

test('base64 content that is not text is replaced by the summary', async () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]).toString('base64')
  const entry = `<id>1</id><title>Un</title><content type="image/png">${picture}</content><summary>Texte</summary>`
  expect(await readOne(atom(entry))).toMatchObject({ body: 'Texte' })
  const [custom] = await read(atom('<id>1</id><title type="application/x-custom">test</title>'))
  expect(custom?.title).toBe('test')
  const [named] = await read(atom(`<id>1</id><title mode="base64">${base64('Un titre')}</title>`))
  expect(named?.title).toBe('Un titre')
})

test.each<[string, string, string]>([
  [
    'none',
    atom('<id>1</id><content type="html">&lt;a href="../a?b=1&amp;amp;c=2"&gt;x&lt;/a&gt;</content>'),
    'https://m.example/a?b=1&amp;c=2',
  ],
  [
    'of the feed',
    atom(
      '<id>1</id><content type="html">&lt;a href="a"&gt;x&lt;/a&gt;</content>',
      'xml:base="https://b.example/x/"',
    ),
    'https://b.example/x/a',
  ],
  [
    'of the entry, relative to that of the feed',
    atom(
      '<id>1</id><content type="html">&lt;a href=a&gt;x&lt;/a&gt;</content>',
      'xml:base="https://b.example/x/"',
    ).replace('<entry>', '<entry xml:base="../y/">'),
    'https://b.example/y/a',
  ],
  [
    'of the content',
    atom(
      '<id>1</id><content type="html" xml:base="https://c.example/">&lt;a href=\'a\'&gt;x&lt;/a&gt;</content>',
    ),
    'https://c.example/a',
  ],
  [
    'that leads elsewhere than to the web',
    atom('<id>1</id><content type="html" xml:base="javascript:x">&lt;a href="a"&gt;x&lt;/a&gt;</content>'),
    'https://m.example/feeds/a',
  ],
  [
    'of the outermost element of RSS',
    rss(
      '<guid>1</guid><description>&lt;a href="/a"&gt;x&lt;/a&gt;</description>',
      'xml:base="https://b.example/x/"',
    ),
    'https://b.example/a',
  ],
  [
    'of an item of RSS',
    rss('<guid>1</guid><description>&lt;a href="a"&gt;x&lt;/a&gt;</description>').replace(
      '<item>',
      '<item xml:base="https://b.example/x/">',
    ),
    'https://b.example/x/a',
  ],
])('links are whole, by the base: %s', async (_which, feed, href) => {
  expect(await readOne(feed)).toMatchObject({ body: link(href, 'x') })
})

test('an item of RSS may have its address in an Atom link alone', async () => {
  const links =
    '<a:link rel="self" href="/self" xmlns:a="http://www.w3.org/2005/Atom"/><a:link href="/un" xmlns:a="http://www.w3.org/2005/Atom"/>'
  expect(await readOne(rss(`<guid isPermaLink="false">1</guid><title>Un</title>${links}`))).toMatchObject({
    source_url: 'https://m.example/un',
  })
})

test('addresses of items and pictures are resolved with xml:base; an identifier is not', async () => {
  const entry =
    '<id>1</id><title>Un</title><link href="un"/><link rel="enclosure" href="un.jpg" type="image/jpeg"/>'
  expect(await readOne(atom(entry, 'xml:base="https://b.example/x/"'))).toMatchObject({
    source_url: 'https://b.example/x/un',
    image_url: 'https://b.example/x/un.jpg',
  })
  const [item] = await read(rss('<title>Un</title><link>un</link>', 'xml:base="https://b.example/x/"'))
  expect(item).toMatchObject({ external_id: 'un', content: { source_url: 'https://b.example/x/un' } })
})

test('links are whole where a title has signs', async () => {
  const feed = rss('<guid>1</guid><description>&lt;a title="1 &lt; 2" href="/a"&gt;x&lt;/a&gt;</description>')
  expect(await readOne(feed)).toMatchObject({ body: link('https://m.example/a', 'x') })
})

test('an absolute link is kept, and a link without a web address becomes text', async () => {
  const body =
    '&lt;a href="https://a.example/"&gt;a&lt;/a&gt; &lt;a href="mailto:a@b.example"&gt;b&lt;/a&gt; &lt;a name="c"&gt;c&lt;/a&gt;'
  expect(await readOne(rss(`<guid>1</guid><description>${body}</description>`))).toMatchObject({
    body: `${link('https://a.example/', 'a')} b c`,
  })
})

test.each([
  ['&lt;p&gt;&lt;img src="/a.jpg"&gt;Texte&lt;/p&gt;', 'https://m.example/a.jpg'],
  [
    '&lt;img width=1 height=1 src="/count.gif"&gt;&lt;img src=b.jpg&gt;Texte',
    'https://m.example/feeds/b.jpg',
  ],
  [
    '&lt;img src="data:image/png;base64,AAAA"&gt;&lt;img alt="x" src=\'c.jpg?a=1&amp;amp;b=2\'&gt;Texte',
    'https://m.example/feeds/c.jpg?a=1&b=2',
  ],
  [
    '&lt;img alt="1 &amp;lt; 2 < 3" src="d.jpg"&gt;Texte'.replace(' < ', ' &lt; '),
    'https://m.example/feeds/d.jpg',
  ],
  ['Texte', null],
])('an item without a picture uses the first picture of its text: %s', async (text, image_url) => {
  expect(await readOne(rss(`<guid>1</guid><description>${text}</description>`))).toMatchObject({ image_url })
  const own = '<enclosure url="https://m.example/own.jpg" type="image/jpeg" length="1"/>'
  expect(await readOne(rss(`<guid>1</guid><description>${text}</description>${own}`))).toMatchObject({
    image_url: 'https://m.example/own.jpg',
  })
})

test.each([
  ['a number of the wrong table', 'Aujourd&#146;hui &#8211; 5 &#x80;'],
  ['a control', 'Aujourd\u0092hui \u0096 5 \u0080'],
  ['a number within HTML', 'Aujourd&amp;#146;hui &amp;#150; 5 &amp;#128;'],
])('characters of Windows-1252 are kept: %s', async (_how, text) => {
  const content = await readOne(rss(`<guid>1</guid><title>${text}</title><description>${text}</description>`))
  expect(content).toMatchObject({ title: 'Aujourd’hui – 5 €', body: 'Aujourd’hui – 5 €' })
})

test.each([
  ['of the header', 'text/xml; charset=utf-8'],
  ['of the declaration', undefined],
])(
  'Latin-1 bytes in a feed declared as UTF-8 %s are decoded as Windows-1252, other bytes as UTF-8',
  async (_where, type) => {
    const [before = '', after = ''] =
      `<?xml version="1.0" encoding="utf-8"?>${rss('<guid>1</guid><title>Été @</title>')}`.split('@')
    const feed = Buffer.concat([
      Buffer.from(before),
      Buffer.from([0xc9, 0x74, 0xe9, 0x20, 0x92, 0x80]),
      Buffer.from(after),
    ])
    expect(await readOne(feed, type)).toMatchObject({ title: 'Été Été ’€' })
  },
)

test.each([
  ['dc:title', rss('<dc:title>Titre</dc:title><description>Texte</description>')],
  ['media:title', rss('<media:title>Titre</media:title><description>Texte</description>')],
  ['dc:description', rss('<title>Titre</title><dc:description>Texte</dc:description>')],
  ['itunes:summary', rss('<title>Titre</title><itunes:summary>Texte</itunes:summary>')],
  ['media:description', rss('<title>Titre</title><media:description>Texte</media:description>')],
  [
    'media:group of Atom',
    atom(
      '<id>1</id><title>Titre</title><m:group><m:description>Texte</m:description></m:group>',
      'xmlns:m="http://search.yahoo.com/mrss/"',
    ),
  ],
  [
    'a description, where content has no words',
    rss(
      '<title>Titre</title><content:encoded>&lt;img src="a"&gt;</content:encoded><description>Texte</description>',
    ),
  ],
  ['xhtml:body', rss('<title>Titre</title><body xmlns="http://www.w3.org/1999/xhtml">Texte</body>')],
  [
    'xhtml:body by its prefix',
    rss('<title>Titre</title><h:body>Texte</h:body>', 'xmlns:h="http://www.w3.org/1999/xhtml"'),
  ],
])('title and text are found in %s', async (_element, feed) => {
  expect(await readOne(feed)).toMatchObject({ title: 'Titre', body: 'Texte' })
})

test('a body tag within CDATA is not the body element of an item', async () => {
  const page = '<![CDATA[<html><body><p>Texte</p></body></html>]]><!-- </body> -->'
  const body = await readOne(rss(`<guid>1</guid><description>${page}</description>`))
  expect(body).toMatchObject({ body: '<p>Texte</p>' })
})

test('an item without identifier and address gets its id from title and text, not from dc: elements', async () => {
  const [plain] = await read(rss('<title>Titre</title>'))
  const [more] = await read(rss('<title>Titre</title><dc:description>Texte</dc:description>'))
  expect(more?.external_id).toBe(plain?.external_id)
})

test.each([
  ['sections that never end', rss(`<body>${'<![CDATA['.repeat(200_000)}</body>`)],
  ['comments that never end', rss(`<body>${'<!--'.repeat(200_000)}</body>`)],
  ['bodies', rss('<body>'.repeat(100_000))],
  ['elements in base64', atom('<a mode="base64">A'.repeat(50_000))],
  ['modes of one element', atom(`<content ${'mode="base64" '.repeat(100_000)}>!</content>`)],
  ['links', rss(`<description>${'&lt;a href='.repeat(6_000)}</description>`)],
  ['pictures', rss(`<description>${'&lt;img width=1 src=a '.repeat(3_000)}</description>`)],
])('hostile: %s', async (_what, feed) => {
  const begin = process.cpuUsage()
  await read(feed).catch(() => {})
  const { user, system } = process.cpuUsage(begin)
  expect((user + system) / 1_000_000).toBeLessThan(5)
})

test('an item whose picture is a PDF has none', async () => {
  const pdf = '<enclosure url="https://m.example/affiche.pdf" type="image/jpeg" length="1"/>'
  expect(await readOne(rss(`<guid>1</guid><title>Un</title>${pdf}`))).toMatchObject({ image_url: null })
})
