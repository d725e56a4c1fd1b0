import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { formOf, pdf, png } from '../media/media.test-kit.ts'

const world = await openWorld({ keeps: true })
const { db, get, url } = world
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

/** A mairie of its own, and ways to its pages. */
async function open() {
  const mairie = await openMairie(world)
  const { secretary, commune } = mairie
  const path = `/mairie/communes/${commune.id}/pages`
  const write = (body: object, by = secretary) =>
    by.post(path, { title: 'École', status: 'published', ...body })
  const made = async (body: object = {}) => {
    const answer = await write(body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data
  }
  const change = (id: string, body: object, headers = {}) =>
    secretary.patch(`${path}/${id}`, body, { headers })
  const titles = async () =>
    (await secretary.get(path)).body.data.map(({ title }: { title: string }) => title) as string[]
  const shown = async () =>
    (await get(`/communes/${commune.id}/pages`)).body.data.map(({ title }: { title: string }) => title)
  const site = async (sub: string) => {
    const response = await fetch(`${url}/communes/${commune.slug}${sub}`, { redirect: 'manual' })
    return { status: response.status, text: await response.text(), to: response.headers.get('location') }
  }
  return { ...mairie, path, write, made, change, titles, shown, site }
}

test('a mairie writes a page, which the public reads by its slug or id', async () => {
  const { made, path, secretary, commune, site } = await open()
  const contacts = [{ nom: 'Service scolaire', telephone: '04 79 00 00 00', email: 'ecole@example.org' }]
  const page = await made({ body: '<h1>Bonjour</h1><script>1</script><p>Le <b>matin</b></p>', contacts })
  expect(page).toMatchObject({
    ...{ slug: 'ecole', title: 'École', parent_id: null, status: 'published', position: 1, version: 1 },
    ...{ body: '<h2>Bonjour</h2><p>Le <b>matin</b></p>', images: [], documents: [] },
    contacts: [{ ...contacts[0], adresse: null }],
    can: ['edit', 'delete'],
  })
  const read = await secretary.get(`${path}/${page.id}`)
  expect(read.body.data).toEqual(page)
  expect(read.headers.get('etag')).toBe('"1"')
  for (const by of ['ecole', page.id]) {
    const { status, body } = await get(`/communes/${commune.id}/pages/${by}`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id: page.id,
      body: page.body,
      contacts: page.contacts,
      parent: null,
      pages: [],
    })
  }
  expect(await site(`/pages/${page.id}`)).toMatchObject({
    status: 301,
    to: `/communes/${commune.slug}/pages/ecole`,
  })
  const { text } = await site('/pages/ecole')
  expect(text).toContain('<h1>École</h1>')
  expect(text).toContain('href="tel:0479000000"')
  expect((await site('')).text).toContain(`<a href="/communes/${commune.slug}/pages">Vivre ici</a>`)
  expect((await site('/recherche?q=matin')).text).toContain('/pages/ecole')
  const second = await made()
  expect(second.slug).toMatch(/^ecole-[0-9a-f]{6}$/)
})

test('a page stands below one at the top, and no deeper', async () => {
  const { made, write, change, path, secretary, commune } = await open()
  const [top, other] = [await made({ title: 'Démarches' }), await made({ title: 'Loisirs' })]
  const below = await made({ title: 'Passeport', parent_id: top.id })
  const fault = async (answer: Promise<{ status: number; body: { details?: { field: string }[] } }>) => {
    const { status, body } = await answer
    return [status, body.details?.map(({ field }) => field)]
  }
  const refused = [422, ['parent_id']]
  expect(await fault(write({ parent_id: below.id }))).toEqual(refused)
  expect(await fault(write({ parent_id: nobody }))).toEqual(refused)
  expect(await fault(change(top.id, { parent_id: other.id }))).toEqual(refused)
  expect(await fault(change(other.id, { parent_id: other.id }))).toEqual(refused)
  const stranger = await open()
  expect(await fault(write({ parent_id: (await stranger.made()).id }))).toEqual(refused)
  expect(await secretary.delete(`${path}/${top.id}`)).toBeError(409, 'page_has_pages')
  expect((await secretary.get(`${path}/${top.id}`)).body.data.can).toEqual(['edit'])
  const { body } = await get(`/communes/${commune.id}/pages/demarches`)
  expect(body.data.pages).toEqual([{ id: below.id, slug: 'passeport', title: 'Passeport' }])
  expect((await change(below.id, { parent_id: other.id })).status).toBe(200)
  expect((await secretary.delete(`${path}/${top.id}`)).status).toBe(200)
})

test('the database refuses a third level, a circle and a parent elsewhere, whoever writes', async () => {
  const { made } = await open()
  const [top, other] = [await made(), await made()]
  const below = await made({ parent_id: top.id })
  const stranger = await (await open()).made()
  const put = (id: string, parent: string) =>
    sql`update commune_pages set parent_id = ${parent} where id = ${id}`.execute(db)
  for (const [id, parent] of [
    [other.id, below.id],
    [top.id, other.id],
    [top.id, top.id],
    [other.id, stranger.id],
  ])
    await expect(put(id, parent)).rejects.toThrow(/commune_pages_parent/)
  await expect(
    sql`update commune_pages set position = 201 where id = ${other.id}`.execute(db),
  ).rejects.toThrow(/commune_pages_position/)
})

test('refuses what a page cannot have', async () => {
  const { write, made, change, path, secretary } = await open()
  const page = await made()
  for (const body of [
    { title: ' ' },
    { title: '…' },
    { slug: 'École' },
    { slug: nobody },
    { body: 'x'.repeat(40_001) },
    { status: 'hidden' },
    { contacts: [{ nom: 'Service', email: 'ecole' }] },
    { contacts: Array(7).fill({ nom: 'Service' }) },
    { images: [nobody] },
    { documents: [nobody] },
    { autre: 1 },
  ])
    expect(await write(body), JSON.stringify(body)).toBeError(422, 'validation_failed')
  for (const body of [{ before: nobody }, { before: page.id }, { slug: 'autre' }, {}])
    expect(await change(page.id, body), JSON.stringify(body)).toBeError(422, 'validation_failed')
  expect(await write({ slug: 'ecole' })).toBeError(409, 'slug_taken')
  expect(await secretary.get(`${path}/${nobody}`)).toBeError(404, 'not_found')
  expect(await secretary.get(`${path}/${nobody}/versions`)).toBeError(404, 'not_found')
  expect(await change(nobody, { title: 'A' })).toBeError(404, 'not_found')
  expect(await secretary.delete(`${path}/${nobody}`)).toBeError(404, 'not_found')
  expect(await secretary.patch(`${path}/${page.id}/versions/${nobody}/restore`)).toBeError(404, 'not_found')
  expect(await secretary.patch(`${path}/${nobody}/restore`)).toBeError(404, 'not_found')
  expect(await get(`/communes/${nobody}/pages`)).toBeError(404, 'not_found')
})

test('members without manage_commune read pages, and those of others do not', async () => {
  const { made, writer, clubOwner, path, write, commune } = await open()
  const page = await made()
  expect((await writer.get(path)).body.data).toMatchObject([{ id: page.id, can: [] }])
  expect(await write({}, writer)).toBeError(403, 'forbidden')
  expect(await writer.patch(`${path}/${page.id}`, { title: 'A' })).toBeError(403, 'forbidden')
  expect(await writer.delete(`${path}/${page.id}`)).toBeError(403, 'forbidden')
  expect(await clubOwner.get(path)).toBeError(403, 'scope_violation')
  const stranger = await open()
  expect(await stranger.secretary.patch(`${stranger.path}/${page.id}`, { title: 'A' })).toBeError(
    404,
    'not_found',
  )
  expect(await stranger.secretary.get(`${stranger.path}/${page.id}`)).toBeError(404, 'not_found')
  await db
    .updateTable('app_sources')
    .set({ commune_ids: [stranger.commune.id] })
    .where('code', '=', 'mairie')
    .execute()
  try {
    expect(await writer.get(`/mairie/communes/${commune.id}/pages`)).toBeError(403, 'scope_violation')
  } finally {
    await db.updateTable('app_sources').set({ commune_ids: null }).where('code', '=', 'mairie').execute()
  }
})

test('a draft, and what stands below one, is shown nowhere, and gone at once', async () => {
  const { made, change, shown, site, commune } = await open()
  const top = await made({ title: 'Démarches' })
  const below = await made({ title: 'Passeport', body: '<p>Biométrique</p>', parent_id: top.id })
  const sitemap = async () => (await (await fetch(`${url}/sitemap/pages.xml`)).text()).includes(commune.slug)
  const seen = async () => [
    ...(await Promise.all(
      [top, below].flatMap(({ id, slug }) => [
        get(`/communes/${commune.id}/pages/${slug}`),
        get(`/communes/${commune.id}/pages/${id}`),
        site(`/pages/${slug}`),
      ]),
    )),
  ]
  expect((await seen()).map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(await sitemap()).toBe(true)
  await change(top.id, { status: 'draft' })
  expect((await seen()).map(({ status }) => status)).toEqual(Array(6).fill(404))
  expect(await shown()).toEqual([])
  expect((await site('')).text).not.toContain('Vivre ici')
  for (const sub of ['/pages', '/recherche?q=biometrique', '/recherche?q=passeport'])
    expect((await site(sub)).text, sub).not.toMatch(/Passeport|Démarches</)
  await change(top.id, { status: 'published' })
  expect(await shown()).toEqual(['Démarches', 'Passeport'])
  expect((await site('/pages/demarches')).text).toContain('/pages/passeport')
})

test('pages are moved, and two moves at once lose none', async () => {
  const { made, change, titles, shown } = await open()
  const pages = []
  for (const title of ['A', 'B', 'C', 'D']) pages.push(await made({ title }))
  const [a, b, c, d] = pages
  const moved = await change(d.id, { before: a.id })
  expect(moved.body.data).toMatchObject({ position: 1, version: 1 })
  expect(await titles()).toEqual(['D', 'A', 'B', 'C'])
  await change(d.id, { before: null })
  expect(await shown()).toEqual(['A', 'B', 'C', 'D'])
  const answers = await Promise.all([
    change(a.id, { before: null }),
    change(b.id, { before: a.id }),
    change(c.id, { before: b.id }),
    change(d.id, { before: a.id }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await titles()).toSorted()).toEqual(['A', 'B', 'C', 'D'])
})

test('of two who save one page, the second gets 412; of two with one slug, 409', async () => {
  const { made, change, write, path, secretary } = await open()
  const page = await made()
  const answers = await Promise.all(
    ['Un', 'Deux'].map((title) => change(page.id, { title }, { 'if-match': '"1"' })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
  expect(await secretary.delete(`${path}/${page.id}`, { headers: { 'if-match': '"1"' } })).toBeError(
    412,
    'precondition_failed',
  )
  const same = await Promise.all(['cantine', 'cantine'].map((slug) => write({ slug })))
  expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const named = await Promise.all([
    write({ title: 'Sport' }),
    write({ title: 'Sport' }),
    write({ title: 'Sport' }),
  ])
  expect(named.map(({ status }) => status)).toEqual([201, 201, 201])
})

test('a commune has at most 200 pages, also when two are written at once', async () => {
  const { commune, write, made, path, secretary } = await open()
  await sql`
    insert into commune_pages (id, commune_id, slug, title, body, position)
    select gen_random_uuid(), ${commune.id}, 'page-' || n, 'Page', '', n + 1 from generate_series(1, 198) n`.execute(
    db,
  )
  // The first position is free, the last is taken.
  const both = await Promise.all([
    write({ title: 'Une' }),
    write({ title: 'Autre' }),
    write({ title: 'Encore' }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 201, 409])
  expect(await write({})).toBeError(409, 'too_many_pages')
  const [first] = (await secretary.get(path)).body.data
  await secretary.delete(`${path}/${first.id}`)
  await made()
  expect(await secretary.patch(`${path}/${first.id}/restore`)).toBeError(409, 'too_many_pages')
})

test('a replaced text stays as a version, twenty at most, and comes back', async () => {
  const { made, change, path, secretary, writer } = await open()
  const page = await made({ body: '<p>Premier</p>' })
  await change(page.id, { body: '<p>Second</p>' })
  await change(page.id, { status: 'draft' })
  const versions = async (by = secretary) => (await by.get(`${path}/${page.id}/versions`)).body.data
  const [version, ...others] = await versions()
  expect(others).toEqual([])
  expect(version).toMatchObject({ title: 'École', body: '<p>Premier</p>', can: ['restore'] })
  expect((await versions(writer))[0].can).toEqual([])
  const restore = `${path}/${page.id}/versions/${version.id}/restore`
  expect(await writer.patch(restore)).toBeError(403, 'forbidden')
  expect(await secretary.patch(restore, undefined, { headers: { 'if-match': '"1"' } })).toBeError(
    412,
    'precondition_failed',
  )
  expect(await secretary.patch(restore, { a: 1 })).toBeError(422, 'validation_failed')
  expect((await secretary.patch(restore)).body.data).toMatchObject({
    body: '<p>Premier</p>',
    status: 'draft',
  })
  expect((await versions())[0].body).toBe('<p>Second</p>')
  for (let n = 0; n < 20; n++) await change(page.id, { title: `École ${n}` })
  expect(await versions()).toHaveLength(20)
})

test('a deleted page is restored behind the others, at the top when its parent is gone', async () => {
  const { made, path, secretary, editor, titles, change, shown } = await open()
  const top = await made({ title: 'Démarches' })
  const below = await made({ title: 'Passeport', parent_id: top.id })
  const last = await secretary.delete(`${path}/${below.id}`)
  expect(last.body.data).toMatchObject({ id: below.id, can: [] })
  await made({ title: 'Loisirs' })
  const bin = async (by = secretary) => (await by.get(`${path}/deleted`)).body.data
  expect(await bin()).toMatchObject([{ id: below.id, kind: 'page', label: 'Passeport', can: ['restore'] }])
  expect(await bin(editor)).toMatchObject([{ can: [] }])
  const restore = (id: string, by = secretary) => by.patch(`${path}/${id}/restore`)
  expect(await restore(below.id, editor)).toBeError(403, 'forbidden')
  const both = await Promise.all([restore(below.id), restore(below.id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const [restored] = both.filter(({ status }) => status === 200)
  expect(restored?.body.data).toMatchObject({ parent_id: top.id, slug: 'passeport', version: 2 })
  expect(await titles()).toEqual(['Démarches', 'Loisirs', 'Passeport'])
  await secretary.delete(`${path}/${below.id}`)
  await secretary.delete(`${path}/${top.id}`)
  const { slug } = await made({ title: 'Passeport' })
  expect(slug).toBe('passeport')
  const again = (await restore(below.id)).body.data
  expect(again).toMatchObject({ parent_id: null, title: 'Passeport' })
  expect(again.slug).not.toBe('passeport')
  expect(await shown()).toEqual(['Loisirs', 'Passeport', 'Passeport'])
  expect((await change(again.id, { title: 'Passeports' })).status).toBe(200)
  expect(await secretary.get(`${path}/deleted?page=x`)).toBeError(422, 'validation_failed')
  expect(await secretary.patch(`${path}/${top.id}/restore`, { a: 1 })).toBeError(422, 'validation_failed')
})

test('pictures and documents are public with the page, and stay while it has them', async () => {
  const { made, write, change, owner, hall, commune, path } = await open()
  const send = async (file: Buffer, fields: object, name?: string) =>
    (await owner.post('/media', formOf(file, { acteur_id: hall.id, ...fields }, name))).body.data
  const bare = await send(await png(), {})
  const poster = await send(pdf(), { nom: 'Règlement' }, 'r.pdf')
  expect(await write({ images: [bare.id] })).toBeError(422, 'alt_required')
  const top = await made({ title: 'Démarches' })
  const draft = { title: 'Cantine', parent_id: top.id, status: 'draft' }
  const page = await made({ ...draft, images: [bare.id], documents: [poster.id] })
  expect(await change(page.id, { status: 'published' })).toBeError(422, 'alt_required')
  await owner.patch(`/media/${bare.id}`, { alt: 'La cantine' })
  const addresses = [`${url}/media/${bare.id}/400.webp`, `${url}/media/${poster.id}/reglement.pdf`]
  const statuses = () => Promise.all(addresses.map(async (one) => (await fetch(one)).status))
  expect(await statuses()).toEqual([404, 404])
  expect((await change(page.id, { status: 'published' })).body.data.images).toMatchObject([
    { alt: 'La cantine' },
  ])
  expect(await statuses()).toEqual([200, 200])
  const read = async () => (await get(`/communes/${commune.id}/pages/cantine`)).body.data
  expect(await read()).toMatchObject({
    images: [{ src: { 400: { webp: `/media/${bare.id}/400.webp` } } }],
    documents: [{ nom: 'Règlement', url: `/media/${poster.id}/reglement.pdf` }],
  })
  await owner.patch(`/media/${bare.id}`, { alt: 'Le réfectoire' })
  await owner.patch(`/media/${poster.id}`, { nom: 'Menus' })
  expect(await read()).toMatchObject({ images: [{ alt: 'Le réfectoire' }], documents: [{ nom: 'Menus' }] })
  expect(await owner.patch(`/media/${bare.id}`, { alt: null })).toBeError(422, 'alt_required')
  expect(await owner.delete(`/media/${bare.id}`)).toBeError(409, 'in_use')
  // With the page above it, a page is hidden with its files.
  await change(top.id, { status: 'draft' })
  expect(await statuses()).toEqual([404, 404])
  await change(top.id, { status: 'published' })
  expect((await fetch(addresses[0] ?? '')).status).toBe(200)
  await owner.delete(`${path}/${page.id}`)
  expect((await fetch(addresses[0] ?? '')).status).toBe(404)
  expect((await owner.delete(`/media/${bare.id}`)).status).toBe(200)
  expect((await owner.patch(`${path}/${page.id}/restore`)).body.data).toMatchObject({
    images: [],
    documents: [{ id: poster.id }],
  })
})

test('the audit log names the mairie, and no contact', async () => {
  const { made, hall, secretary, path } = await open()
  const { id } = await made({ contacts: [{ nom: 'Odile Vauquelin' }] })
  await secretary.delete(`${path}/${id}`)
  const rows = await db
    .selectFrom('audit_log')
    .select(['action', 'acteur_id', 'before', 'after'])
    .where('entity_id', '=', id)
    .orderBy('at')
    .execute()
  expect(rows).toMatchObject([
    { action: 'page.create', acteur_id: hall.id, after: { contacts: '(personal)' } },
    { action: 'page.delete', acteur_id: hall.id, before: { contacts: '(personal)' } },
  ])
})

test('a retry with the same key writes one page', async () => {
  const { path, secretary, titles } = await open()
  const headers = { 'idempotency-key': uuidv7() }
  const answers = [
    await secretary.post(path, { title: 'Une' }, { headers }),
    await secretary.post(path, { title: 'Une' }, { headers }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(await titles()).toEqual(['Une'])
})
