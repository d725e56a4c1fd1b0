import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { createGuardedFetch } from '../../platform/fetch/guarded-fetch.ts'
import { createLog } from '../../platform/log/log.ts'
import { inspectSource } from './before-saving.ts'
import { allowPrivate, importsKit, openFeedServer, rss } from './imports.test-kit.ts'
import { ReadFailed } from './readers/read-failed.ts'

const world = await openWorld({ env: allowPrivate })
const { admin } = await importsKit(world)
const { serve, url } = await openFeedServer()
const { db } = world

async function inspect(body: string | Buffer, headers: Record<string, string> = {}, status = 200) {
  serve('/inspected', { body, headers, status })
  const answer = await admin.post('/admin/import-sources/inspect', { url: `${url}/inspected` })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}
const unread = { type: null, mapping: null, fields: [], items: [], feeds: [] }

test('POST /admin/import-sources/inspect returns the type of a feed and its first ten items, and saves nothing', async () => {
  const items = Array.from({ length: 12 }, (_, n) => ({
    guid: `g-${n}`,
    title: `Heure du conte ${n}`,
    description: '<p>Des <b>histoires</b> &amp; des chansons.</p>',
    link: `/page/${n}`,
  }))
  const found = await inspect(rss(...items))
  expect(found).toMatchObject({ type: 'rss', mapping: null, fields: [], feeds: [], error: null })
  expect(found.items).toHaveLength(10)
  expect(found.items[0]).toEqual({
    external_id: 'g-0',
    title: 'Heure du conte 0',
    excerpt: 'Des histoires & des chansons.',
    url: `${url}/page/0`,
    image_url: null,
    date_debut: null,
    date_fin: null,
    problem: null,
  })
  for (const table of ['import_sources', 'import_runs', 'audit_log'] as const)
    expect(await db.selectFrom(table).select('id').execute()).toEqual([])
})

test.each([
  [
    'Atom',
    'rss',
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>a</id><title>Un</title></entry></feed>',
  ],
  [
    'RDF',
    'rss',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><item rdf:about="a"><title>Un</title></item></rdf:RDF>',
  ],
  [
    'JSON Feed',
    'rss',
    '{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[{"id":"a","title":"Un","content_text":"x"}]}',
  ],
  [
    'iCalendar',
    'ics',
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:Un\r\nDTSTART:20991120T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  ],
  [
    'OpenAgenda',
    'openagenda',
    '{"total":1,"events":[{"uid":"a","title":{"fr":"Un"},"timings":[{"begin":"2099-11-20T10:00:00+0100","end":"2099-11-20T11:00:00+0100"}]}],"after":null}',
  ],
])('recognises %s', async (_name, type, body) => {
  const found = await inspect(body)
  expect(found).toMatchObject({ type, mapping: null, error: null })
  expect(found.items).toMatchObject([{ external_id: 'a', title: 'Un' }])
})

test('proposes the parts of a place, the coordinates together or not at all', async () => {
  const found = await inspect(
    'id;titre;texte;lieu;adresse;latitude;longitude\n1;Un;Texte;Bar;1 rue B;46,2;5,2',
  )
  const names = { 'lieu.nom': 'lieu', 'lieu.adresse': 'adresse' }
  const coordinates = { 'lieu.latitude': 'latitude', 'lieu.longitude': 'longitude' }
  const rest = { external_id: 'id', title: 'titre', body: 'texte' }
  expect(found.mapping).toEqual({ ...rest, ...names, ...coordinates })
  const half = await inspect('id;titre;texte;lieu;latitude\n1;Un;Texte;Bar;46,2')
  expect(half.mapping).toEqual({ ...rest, 'lieu.nom': 'lieu' })
})

test('says that an agenda without times needs detailed=1, as the dry run does', async () => {
  const found = await inspect('{"total":1,"events":[{"uid":1,"title":{"fr":"Un"}}],"after":[1]}')
  const reason = 'it has no date that can be read: add detailed=1 to the address'
  expect(found).toMatchObject({ type: 'openagenda', items: [{ title: 'Un', problem: reason }] })
  serve('/agenda', { body: '{"events":[{"uid":1,"title":{"fr":"Un"}}]}' })
  const source = { nom: 'Agenda', type: 'openagenda', url: `${url}/agenda` }
  const { body } = await admin.post('/admin/import-sources/dry-run', source)
  expect(body.data).toMatchObject({ rejected: 1, items: [{ action: 'rejected', reason }] })
})

test('proposes a mapping of a table by the names of its columns', async () => {
  const found = await inspect(
    'Identifiant;Titre de l’événement;Descriptif;Date de début;Date de fin;Lien;Photo\n7;Fête;La fête du village;20/11/2099;21/11/2099;https://v.example/7;https://v.example/7.jpg\n',
  )
  expect(found.mapping).toEqual({
    external_id: 'Identifiant',
    title: 'Titre de l’événement',
    body: 'Descriptif',
    date_debut: 'Date de début',
    date_fin: 'Date de fin',
    url: 'Lien',
    image_url: 'Photo',
  })
  expect(found.fields[1]).toEqual({ name: 'Titre de l’événement', example: 'Fête' })
  expect(found.items).toMatchObject([
    { external_id: '7', title: 'Fête', excerpt: 'La fête du village', date_debut: '2099-11-20' },
  ])
})

test('finds the columns of a table below a title', async () => {
  const found = await inspect('sep=;\nAgenda, hiver;;\n\nid;titre;texte\n7;Fête;La fête du village\n')
  expect(found.mapping).toEqual({ external_id: 'id', title: 'titre', body: 'texte' })
  expect(found.items).toMatchObject([{ external_id: '7', title: 'Fête' }])
})

test('recognises names that are abbreviated', async () => {
  const { mapping } = await inspect('ident;titre;desc;debu\n7;Fête;La fête du village;20/11/2099\n')
  expect(mapping).toEqual({ external_id: 'ident', title: 'titre', body: 'desc', date_debut: 'debu' })
})

test('finds the list in a document and proposes paths, also for names in no language', async () => {
  const records = [1, 2].map((n) => ({
    recordid: `r${n}`,
    fields: {
      titre: { fr: `Marché ${n}` },
      texte: 'Tous les samedis',
      debut: '2099-01-02',
      images: ['https://a.example/1.png'],
    },
  }))
  const found = await inspect(JSON.stringify({ nhits: 2, meta: { tags: ['x'] }, data: { records } }))
  expect(found).toMatchObject({
    type: 'json',
    mapping: {
      items: 'data.records',
      external_id: 'recordid',
      title: 'fields.titre.fr',
      body: 'fields.texte',
      date_debut: 'fields.debut',
    },
  })
  expect(found.items).toMatchObject([{ title: 'Marché 1' }, { title: 'Marché 2' }])
  const plain = await inspect(JSON.stringify([{ a: 'Court', b: 'Un texte bien plus long que le premier' }]))
  expect(plain.mapping).toEqual({
    external_id: 'a',
    title: 'a',
    body: 'b',
  })
})

test('a proposed mapping can be saved as it is', async () => {
  const hostile = JSON.stringify([
    {
      id: 1,
      titre: 'Un',
      ['x'.repeat(300)]: 'long',
      'a.b': 'dot',
      '': 'empty',
      '  ': 'blank',
      '\u0000': 'nul',
      __proto__x: { constructor: 'c' },
    },
  ])
  const found = await inspect(hostile)
  const source = { nom: 'Essai', type: found.type, url: `${url}/inspected`, mapping: found.mapping }
  expect(await admin.post('/admin/import-sources/dry-run', source)).toMatchObject({
    status: 200,
    body: { data: { status: 'succeeded', created: 1 } },
  })
  expect(found.fields.every(({ name }: { name: string }) => name.length <= 200 && name.trim() === name)).toBe(
    true,
  )
})

test('lists the feeds that a web page names', async () => {
  const found = await inspect(`<!DOCTYPE html><html><head>
    <link rel="stylesheet" href="/a.css"><link rel=alternate type=application/rss+xml href=/feed title="Agenda &amp; co">
    <link rel="alternate" type="text/calendar" href="https://c.example/a.ics">
    <link rel="alternate" type="application/atom+xml" href="javascript:alert(1)">
    <link rel="alternate" type="application/atom+xml" href="http://u:p@c.example/"></head><body></body></html>`)
  expect(found).toEqual({
    ...unread,
    error: null,
    feeds: [
      { url: `${url}/feed`, title: 'Agenda & co', type: 'rss' },
      { url: 'https://c.example/a.ics', title: null, type: 'ics' },
    ],
  })
})

test.each([
  ['a title with a >', 'title="Mairie > Actus" href="/feed"', 'Mairie > Actus', '/feed'],
  [
    'entities',
    'title="Mairie &raquo; &#201;t&eacute; &#x2019;" href="/feed?a=1&amp;b=2"',
    'Mairie » Été ’',
    '/feed?a=1&b=2',
  ],
  ['an attribute that ends in href', 'data-href="/wrong" href="/feed"', null, '/feed'],
])('reads the link of a feed like a browser: %s', async (_what, attributes, title, path) => {
  const found = await inspect(
    `<html><head><link rel="alternate" type="application/rss+xml" ${attributes}></head><body></body></html>`,
  )
  expect(found.feeds).toEqual([{ url: `${url}${path}`, title, type: 'rss' }])
})

test('skips the link of a feed that has no address, and one in a comment', async () => {
  const link = '<link rel="alternate" type="application/rss+xml" title="Flux"'
  const found = await inspect(`<html><head>${link}><!-- ${link} href="/old"> --></head><body></body></html>`)
  expect(found).toMatchObject({ feeds: [], error: 'It is a web page that names no feed.' })
})

test('says why an address cannot be read', async () => {
  const nested = '['.repeat(200)
  const page = '<html><body>Bonjour</body></html>'
  const said = [
    [await inspect('x', {}, 404), 'The server answered 404.'],
    [await inspect(''), 'It is empty.'],
    [await inspect('Bonjour'), 'It is no feed, calendar, table or JSON document.'],
    [await inspect(page), 'It is a web page that names no feed.'],
    [await inspect('{"a":1}'), 'It has no list of items.'],
    [await inspect('{"a":'), 'It cannot be read as JSON.'],
    [await inspect(nested), 'It has too many parts, or nests them too deeply.'],
    [await inspect('<rss><channel>'), expect.any(String)],
    [await inspect(Buffer.alloc(10_000_001, ' ')), 'The answer is larger than the size limit.'],
    [
      await inspect(gzipSync(Buffer.alloc(11_000_000, ' ')), { 'content-encoding': 'gzip' }),
      'The answer is larger than the size limit.',
    ],
    [await inspect('', { location: `${url}/inspected` }, 302), 'The server redirects too many times.'],
    [
      await inspect('', { location: 'file:///etc/passwd' }, 302),
      'The server redirects to something that is not an http or https URL.',
    ],
  ] as const
  for (const [found, error] of said) expect(found).toEqual({ ...unread, error })
})

test('expands no entities and opens no file that a feed names', async () => {
  const found =
    await inspect(`<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "hahaha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
    <rss version="2.0"><channel><item><guid>1</guid><title>Un &b;</title><description>&f;</description></item></channel></rss>`)
  expect(JSON.stringify(found)).not.toMatch(/haha|root:/)
})

test('refuses what is no web address, and unknown fields', async () => {
  for (const address of [
    '',
    'demo:agenda.xml',
    'file:///etc/passwd',
    'https://u:p@a.example/',
    'x'.repeat(2_001),
  ])
    expect(await admin.post('/admin/import-sources/inspect', { url: address })).toBeError(
      422,
      'validation_failed',
    )
  expect(await admin.post('/admin/import-sources/inspect', { url, type: 'rss' })).toBeError(
    422,
    'validation_failed',
  )
})

test('reaches no private address, directly or by a name', async () => {
  const guarded = await openWorld({ database: world.database })
  const colleague = await guarded.as('admin')
  const { port } = new URL(url)
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1', '0x7f000001']) {
    const answer = await colleague.post('/admin/import-sources/inspect', {
      url: `http://${host}:${port}/inspected`,
    })
    const { error } = answer.body.data
    expect(error, host).toBe('The address leads to a private or reserved network, which is not allowed.')
  }
})

test('inspections wait for a slot, give up in time, and free their slot after a failure', async () => {
  const held: (() => void)[] = []
  const server = createServer((_request, response) => {
    held.push(() => response.end(rss({ guid: '1', title: 'Un' })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  const slow = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const deps = { log: createLog('silent'), clock: () => new Date() }
  const fetch = createGuardedFetch({ allowPrivate: true, timeoutMs: 60_000 })
  const inspecting = (signal = new AbortController().signal) => inspectSource(deps, slow, { fetch, signal })

  const three = [inspecting(), inspecting(), inspecting()]
  await expect.poll(() => held.length).toBe(3)
  const late = new AbortController()
  const fourth = inspecting(late.signal)
  const fifth = inspecting()
  late.abort(new ReadFailed('It takes too long to read.'))
  expect(await fourth).toMatchObject({ error: 'It takes too long to read.' })
  expect(held).toHaveLength(3)
  for (const answer of held.splice(0)) answer()
  expect((await Promise.all(three)).map(({ type }) => type)).toEqual(['rss', 'rss', 'rss'])
  await expect.poll(() => held.length).toBe(1)
  held[0]?.()
  expect(await fifth).toMatchObject({ type: 'rss', error: null })

  const impatient = createGuardedFetch({ allowPrivate: true, timeoutMs: 200 })
  const { signal } = new AbortController()
  const failed = [1, 2, 3, 4].map(() => inspectSource(deps, slow, { fetch: impatient, signal }))
  for (const { error } of await Promise.all(failed))
    expect(error).toBe('The server did not answer in full within the time limit.')
})
