import { expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { lockCommune } from '../../communes/locking.ts'
import { formOf } from '../../media/media.test-kit.ts'
import { insertPage } from '../queries.ts'
import { exportOf } from './wordpress.test-kit.ts'

const world = await openWorld({ keeps: true })
const { db } = world

/** A mairie of its own, and ways to its pages. */
async function open() {
  const mairie = await openMairie(world)
  const path = `/mairie/communes/${mairie.commune.id}/pages`
  const send = (file: string | Uint8Array, fields: Record<string, string> = {}, by = mairie.secretary) =>
    by.post(`${path}/wordpress-import`, formOf(file, fields, 'mairie.xml'))
  const sent = async (file: string | Uint8Array, fields: Record<string, string> = {}) => {
    const { status, body } = await send(file, fields)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data
  }
  const applied = (file: string | Uint8Array) => sent(file, { dry_run: 'false' })
  const listed = async () => (await mairie.secretary.get(path)).body.data
  const write = async (body: object) => (await mairie.secretary.post(path, body)).body.data
  const read = async (id: string) => (await mairie.secretary.get(`${path}/${id}`)).body.data
  return { ...mairie, path, send, sent, applied, listed, write, read }
}

const town = exportOf([
  { id: 2, title: 'Vie &amp; <i>quotidien</i>', name: 'vie', content: '', order: 2 },
  { id: 10, title: 'École', name: '%c3%a9cole', order: 1 },
  { id: 11, title: 'Cantine', parent: 10, name: 'cantine', status: 'private' },
  { id: 12, title: 'Menus', parent: 11, name: 'menus', status: 'draft' },
  { id: 13, title: 'Piscine', parent: 2, name: 'piscine' },
  { id: 14, title: 'Piscine', parent: 10, name: 'piscine' },
  { id: 20, title: 'Ancienne', name: 'ancienne', status: 'trash' },
  { id: 21, title: 'Dessous', parent: 20, name: 'dessous' },
  { id: 22, title: 'Vide', name: 'vide', content: '<!-- wp:spacer --><div></div><!-- /wp:spacer -->' },
  { id: 23, title: '', name: 'sans-titre' },
  { id: 24, title: 'Longue', name: 'longue', content: `<p>${'a'.repeat(40_001)}</p>` },
  { id: 25, title: 'Énorme', name: 'enorme', content: 'a'.repeat(200_001) },
  { id: 30, title: 'Fête', type: 'post' },
  { id: 31, title: 'Photo', type: 'attachment' },
  { id: 32, title: 'Fête', type: 'post' },
])

test('a dry run tells what would come, and stores nothing', async () => {
  const { sent, listed } = await open()
  const told = await sent(town)
  expect(told).toMatchObject({
    ...{ dry_run: true, site: 'https://mairie.example', created: 7, existing: 0, skipped: 5 },
    others: [
      { type: 'post', count: 2 },
      { type: 'attachment', count: 1 },
    ],
  })
  const rows = told.pages.map((page: Record<string, unknown>) =>
    [page.title, page.slug, page.parent_slug, page.result, page.reason, page.notes].join('|'),
  )
  expect(rows).toEqual([
    'Ancienne|||skipped|trashed|',
    'Dessous|dessous||created||parent_left_out',
    'Vide|||skipped|empty|',
    '|||skipped|untitled|',
    'Longue|||skipped|too_large|',
    'Énorme|||skipped|too_large|',
    'École|ecole||created||',
    'Cantine|cantine|ecole|created||was_private',
    'Menus|menus|ecole|created||flattened',
    'Piscine|piscine|ecole|created||',
    'Vie & quotidien|vie||created||',
    'Piscine|piscine-13|vie|created||slug_changed',
  ])
  expect(told.pages.every(({ id }: { id: null }) => id === null)).toBe(true)
  expect(await listed()).toEqual([])
})

test('applied, the pages stand behind the others as drafts, each in the audit log; the same file again writes none', async () => {
  const { applied, sent, listed, write, read, hall } = await open()
  const own = await write({ title: 'Écoles', slug: 'ecole' })
  const told = await applied(town)
  expect(told).toMatchObject({ dry_run: false, created: 7 })
  const pages = await listed()
  const slugOf = (id: string | null) => pages.find((page: { id: string }) => page.id === id)?.slug ?? null
  expect(
    pages.map((page: { slug: string; parent_id: string; status: string; position: number }) => [
      ...[page.position, page.slug, slugOf(page.parent_id), page.status],
    ]),
  ).toEqual([
    [1, 'ecole', null, 'draft'],
    [2, 'dessous', null, 'draft'],
    [3, 'ecole-10', null, 'draft'],
    [4, 'cantine', 'ecole-10', 'draft'],
    [5, 'menus', 'ecole-10', 'draft'],
    [6, 'piscine', 'ecole-10', 'draft'],
    [7, 'vie', null, 'draft'],
    [8, 'piscine-13', 'vie', 'draft'],
  ])
  const created = told.pages.filter(({ result }: { result: string }) => result === 'created')
  expect(created.map(({ id }: { id: string }) => id).toSorted()).toEqual(
    pages
      .map(({ id }: { id: string }) => id)
      .filter((id: string) => id !== own.id)
      .toSorted(),
  )
  expect((await read(created[0].id)).body).toBe('<p>Le midi</p>')
  const rows = await db
    .selectFrom('audit_log')
    .select(['action', 'acteur_id', 'after'])
    .where(
      'entity_id',
      'in',
      created.map(({ id }: { id: string }) => id),
    )
    .execute()
  expect(rows).toHaveLength(7)
  for (const row of rows)
    expect(row).toMatchObject({ action: 'page.create', acteur_id: hall.id, after: { status: 'draft' } })
  expect(await sent(town)).toMatchObject({ created: 0, existing: 7 })
  expect(await applied(town)).toMatchObject({ created: 0, existing: 7, skipped: 5 })
  expect(await listed()).toEqual(pages)
})

test('a page that was renamed or moved since exists, and new pages below it stand at its place', async () => {
  const { applied, listed, secretary, path, write } = await open()
  const [page] = (await applied(exportOf([{ id: 5, title: 'Cantine', name: 'cantine' }]))).pages
  const top = await write({ title: 'Enfance' })
  await secretary.patch(`${path}/${page.id}`, { title: 'Restauration', parent_id: top.id })
  const again = await applied(
    exportOf([
      { id: 5, title: 'Cantine', name: 'cantine' },
      { id: 6, title: 'Menus', name: 'menus', parent: 5 },
    ]),
  )
  expect(again.pages).toMatchObject([
    { result: 'exists', id: page.id },
    { result: 'created', parent_slug: 'enfance' },
  ])
  expect((await listed()).map(({ slug }: { slug: string }) => slug)).toEqual(['cantine', 'enfance', 'menus'])
})

test('of two pages with one address and title, one page that exists is only the first', async () => {
  const { sent, applied, write } = await open()
  const own = await write({ title: 'Contact' })
  const file = exportOf([
    { id: 7, title: 'Contact', name: 'contact' },
    { id: 8, title: 'Contact', name: 'contact' },
  ])
  const [first, second] = (await applied(file)).pages
  expect(first).toMatchObject({ result: 'exists', id: own.id })
  expect(second).toMatchObject({ result: 'created', slug: 'contact-8' })
  expect(await sent(file)).toMatchObject({ created: 0, existing: 2 })
})

test('circles, pages above themselves and doubled numbers end at the top', async () => {
  const { applied } = await open()
  const told = await applied(
    exportOf([
      { id: 1, title: 'A', name: 'a', parent: 2 },
      { id: 2, title: 'B', name: 'b', parent: 1 },
      { id: 3, title: 'C', name: 'c', parent: 3 },
      { id: 4, title: 'D', name: 'd', parent: 1 },
      { id: 4, title: 'D', name: 'd' },
      { id: 4, title: 'D', name: 'd' },
      { id: 5, title: 'E', name: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e' },
      { id: 6, title: 'F', name: '%zz' },
    ]),
  )
  const rows = told.pages.map((page: Record<string, unknown>) => [page.slug, page.parent_slug, page.reason])
  expect(rows).toEqual([
    ['a', null, null],
    ['b', null, null],
    ['c', null, null],
    ['d', null, null],
    ['d-4', null, null],
    [null, null, 'slug_taken'],
    ['n-0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e', null, null],
    ['zz', null, null],
  ])
})

test('what only WordPress understands is removed and counted; texts stay, and are sanitised', async () => {
  const { applied, read } = await open()
  const content = `<!-- wp:heading {"level":2} --><h2>Horaires</h2><!-- /wp:heading -->
<!-- wp:paragraph --><p onclick="x()">Lundi [sic] &amp; mardi</p><!-- /wp:paragraph -->
<script>alert(1)</script><iframe src="https://evil.example"></iframe>
[contact-form-7 id="12" title="Contact"]
[vc_row][vc_column]Dedans[/vc_column][/vc_row]
<table><tr><td>Un</td><td>Deux</td></tr></table>
<figure><img class="a" src="https://mairie.example/a.jpg?x=1&amp;y=2" alt=""/><figcaption>La cour</figcaption></figure>
<img src="/b.jpg"><img src="data:image/png;base64,AA"><a href="javascript:x()">Lien</a>`
  const classic =
    'Premier\nsuite\n\n<h3>Titre</h3>\n\n[caption id="a" width="3"]<img src="https://cdn.example/c.jpg" /> Légende[/caption]'
  const told = await applied(
    exportOf([
      { title: 'Blocs', content },
      { title: 'Classique', content: classic },
      { title: 'Ouvert', content: '<p>Avant</p><!-- <img src="https://x.example/a.jpg"> --><!-- wp:x' },
    ]),
  )
  expect(told).toMatchObject({ images: 4, image_servers: ['mairie.example', 'cdn.example'] })
  expect(told.pages).toMatchObject([
    {
      ...{ blocks: 2, shortcodes: 3, markup: 6, images: 3 },
      image_urls: ['https://mairie.example/a.jpg?x=1&y=2', 'https://mairie.example/b.jpg'],
    },
    { blocks: 0, shortcodes: 1, markup: 0, images: 1 },
    { blocks: 1, markup: 0, images: 0 },
  ])
  const [blocks, other, last] = await Promise.all(told.pages.map(({ id }: { id: string }) => read(id)))
  expect(blocks.body).toContain('<h2>Horaires</h2>')
  expect(blocks.body).toContain('<p>Lundi [sic] &amp; mardi</p>')
  expect(blocks.body).toContain('Dedans')
  expect(blocks.body).toContain('Un · Deux')
  expect(blocks.body).toContain('La cour')
  expect(blocks.body).not.toMatch(/script|iframe|img|wp:|vc_|contact-form|onclick|javascript/)
  expect(other.body).toBe('<p>Premier<br />suite</p>\n<h3>Titre</h3>\n<p> Légende</p>')
  expect(last.body).toBe('<p>Avant</p>')
})

test('refuses a file that is no export, or that is damaged or hostile', async () => {
  const { send, listed } = await open()
  const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  const whole = exportOf([{}])
  const inside = (text: string) => whole.replace('<title>Mairie</title>', `<title>${text}</title>`)
  const files: [string | Uint8Array, RegExp][] = [
    ['', /no WordPress export/],
    ['Bonjour', /no WordPress export/],
    ['<html><body/></html>', /no WordPress export/],
    ['<rss version="2.0"><channel><title>Flux</title></channel></rss>', /no WordPress export/],
    [Buffer.from('%PDF-1.7'), /no WordPress export/],
    [exportOf([{}], { before: bomb }), /document type/],
    [exportOf([{}], { before: '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>' }), /document type/],
    [exportOf([{}], { before: '<!DOCTYPE rss SYSTEM "https://evil.example/x.dtd">' }), /document type/],
    [inside('&b;'), /no WordPress export/],
    [whole.replace('<description></description>', '<description>&b;</description>'), /damaged/],
    [whole.slice(0, -20), /damaged/],
    [whole.slice(0, whole.indexOf('Le midi')), /damaged/],
    [whole.replace('</item>', `${'<a>'.repeat(30)}${'</a>'.repeat(30)}</item>`), /damaged/],
    [whole.replace('</item>', `${'<a>'.repeat(100_000)}</item>`), /damaged/],
    [whole.replace('</item>', `<a b="${'x'.repeat(200_000)}"/></item>`), /damaged/],
    [whole.replace('</item>', '<unbound:a/></item>'), /damaged/],
    [exportOf(Array(501).fill({})), /more than 500 pages/],
  ]
  for (const [file, message] of files)
    for (const dry_run of ['true', 'false']) {
      const { status, body } = await send(file, { dry_run })
      expect(status, String(file).slice(0, 200)).toBe(422)
      expect(body.details).toMatchObject([{ field: 'file', message: expect.stringMatching(message) }])
    }
  expect(await send(whole, { dry_run: 'peut-être' })).toBeError(422, 'validation_failed')
  expect(await send(whole, { autre: '1' })).toBeError(422, 'validation_failed')
  expect(await listed()).toEqual([])
})

test('reads files in the encoding that they have, whatever they declare', async () => {
  const { sent } = await open()
  const file = exportOf([{ title: 'Été', content: '<p>Déjà là</p>' }])
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(file, 'utf16le')])
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const declared = latin(exportOf([{ title: 'Été' }], { declared: 'ISO-8859-1' }))
  for (const bytes of [file, `\ufeff${file}`, utf16, latin(file), declared])
    expect((await sent(bytes)).pages).toMatchObject([{ title: 'Été', slug: 'ete' }])
  const prefixed = file
    .replaceAll('wp:', 'x:')
    .replaceAll('xmlns:wp', 'xmlns:x')
    .replaceAll(/(<\/?)content:/g, '$1c:')
  const renamed = prefixed.replace('xmlns:content', 'xmlns:c')
  expect((await sent(renamed)).pages).toMatchObject([{ title: 'Été', result: 'created' }])
})

test('a commune gets no more pages than it may have: all come, or none', async () => {
  const { send, listed, path, secretary } = await open()
  const many = (count: number) =>
    exportOf(Array.from({ length: count }, (_, index) => ({ title: `Page ${index}`, id: index + 1 })))
  for (const dry_run of ['true', 'false'])
    expect(await send(many(201), { dry_run })).toBeError(409, 'too_many_pages')
  expect(await listed()).toEqual([])
  expect((await send(many(200), { dry_run: 'false' })).status).toBe(200)
  expect(await listed()).toHaveLength(200)
  expect(await secretary.post(path, { title: 'Autre' })).toBeError(409, 'too_many_pages')
})

test('two imports of one file at once write each page once', async () => {
  const { send, listed } = await open()
  const file = exportOf([{ title: 'A' }, { title: 'B' }])
  const both = await Promise.all([send(file, { dry_run: 'false' }), send(file, { dry_run: 'false' })])
  expect(both.map(({ body }) => body.data.created).toSorted()).toEqual([0, 2])
  expect(await listed()).toHaveLength(2)
})

test('an import waits for a page that is being written, and finds it', async () => {
  const { send, commune } = await open()
  const sending = await db.transaction().execute(async (tx) => {
    await lockCommune(tx, commune.id)
    const answer = send(exportOf([{ title: 'Cantine', name: 'cantine' }]), { dry_run: 'false' })
    await untilWaiting(db)
    await insertPage(tx, {
      ...{ id: uuidv7(), commune_id: commune.id, parent_id: null, slug: 'cantine', title: 'Cantine' },
      ...{ body: '', images: null, documents: null, contacts: [], status: 'draft' as const, position: 1 },
    })
    return { answer }
  })
  expect((await sending.answer).body.data).toMatchObject({ created: 0, existing: 1 })
})

test('only those who may write pages import them', async () => {
  const { send, writer, clubOwner, editor, path, secretary } = await open()
  const stranger = await open()
  for (const dry_run of ['true', 'false']) {
    expect(await send(town, { dry_run }, writer)).toBeError(403, 'forbidden')
    expect(await send(town, { dry_run }, editor)).toBeError(403, 'forbidden')
    expect(await send(town, { dry_run }, clubOwner)).toBeError(403, 'scope_violation')
    expect(await send(town, { dry_run }, stranger.secretary)).toBeError(403, 'scope_violation')
  }
  expect(await secretary.post(`${path}/wordpress-import`, { file: 'a' })).toBeError(
    415,
    'unsupported_media_type',
  )
})

test('refuses a file of more than 20 MB', async () => {
  const { send } = await open()
  expect(await send(Buffer.alloc(20 * 2 ** 20 + 1, ' '))).toBeError(413, 'payload_too_large')
})
