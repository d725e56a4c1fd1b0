import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isWhole } from '../../../test/support/sample.ts'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { formOf, pdf, pdfStream, png } from '../media/media.test-kit.ts'
import { noteUnused } from '../media/queries.ts'
import { deleteUnused } from '../media/sweep.ts'
import { erasePerson } from '../privacy/erase.ts'
import { exportPerson } from '../privacy/export.ts'
import { openAssociation } from './publications.test-kit.ts'

const world = await openWorld({ keeps: true, env: { CDN: 'on' } })
const { db, url, get, client, user, changes } = world
const { acteur, asOwner, content, commune } = await openAssociation(world, { can_publish: true })
const pending = await openAssociation(world)
const admin = await world.as('admin')
const moderator = await world.as('moderator')

let sent = 0
/** A document of its own words. */
const send = async (file = pdf([`Document ${++sent}`]), fields: Record<string, string> = {}, by = asOwner) =>
  by.post('/media', formOf(file, { acteur_id: acteur.id, ...fields }, 'Compte_rendu.pdf'))
const document = async (...args: Parameters<typeof send>) => (await send(...args)).body.data.id as string
const publish = async (documents: string[], fields = {}) =>
  (await asOwner.post('/publications', { ...content, ...fields, documents })).body.data
const at = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}${path}`, { method, headers, redirect: 'manual' })
const messageOf = async (file: Buffer) => {
  const answer = await send(file)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toMatchObject([{ field: 'file' }])
  return answer.body.details[0].message as string
}

test('POST /media keeps a PDF as it is, with its pages, its text and its first page as a picture', async () => {
  const file = Buffer.concat([
    pdf(['Plan local d’urbanisme\nchapitre premier', 'Zonage']),
    Buffer.from('\r\n \0'),
  ])
  const answer = await send(file)
  expect(answer.status).toBe(201)
  const { id, src, ...data } = answer.body.data
  expect(data).toMatchObject({
    ...{ kind: 'document', nom: 'Compte rendu', pages: 2, alt: null, decorative: false },
    url: `/api/v1/media/${id}/compte-rendu.pdf`,
  })
  expect(Object.keys(src)).toEqual(['400', '800', '1600'])
  expect(data.height / data.width).toBeCloseTo(100 / 595, 2)
  const { rows } = await sql<{
    text: string
  }>`select text from media_documents where media_id = ${id}`.execute(db)
  expect(rows[0]?.text).toMatch(/chapitre premier[\s\S]*Zonage/)
  const { rows: stored } = await sql<{ content: Buffer }>`
    select v.content from media_variants v join media m on m.sha256 = v.sha256 where m.id = ${id} and v.format = 'pdf'`.execute(
    db,
  )
  expect(stored[0]?.content.equals(file)).toBe(true)
})

test('a document is named, and never described', async () => {
  const id = await document(undefined, { nom: 'Affiche' })
  expect((await asOwner.patch(`/media/${id}`, { nom: 'Affiche du bal' })).body.data.url).toContain(
    '/affiche-du-bal.pdf',
  )
  expect(await asOwner.patch(`/media/${id}`, { nom: null })).toBeError(422, 'validation_failed')
  expect(await asOwner.patch(`/media/${id}`, { alt: 'Une affiche' })).toBeError(422, 'validation_failed')
  expect(await send(undefined, { decorative: 'true' })).toBeError(422, 'validation_failed')
  const { body } = await asOwner.get(`/media?kind=document&acteur_id=${acteur.id}`)
  expect(body.data.every(({ kind }: { kind: string }) => kind === 'document')).toBe(true)
})

const script = '<< /S /JavaScript /JS (app.alert(1)) >>'
const packed = (object: string, more = '') =>
  pdfStream(`9 0 ${object}`, `/Type /ObjStm /N 1 /First 4 ${more}`)

test.each([
  ['runs JavaScript when it is opened', pdf(['x'], { catalog: `/OpenAction ${script}` }), /JavaScript/],
  [
    'runs JavaScript under another spelling',
    pdf(['x'], { catalog: '/OpenAction << /S /J#61vaScript >>' }),
    /JavaScript/,
  ],
  ['hides JavaScript in an object stream', pdf(['x'], { objects: [packed(script)] }), /JavaScript/],
  ['has a form with programs', pdf(['x'], { catalog: '/AcroForm << /XFA [] >>' }), /JavaScript/],
  [
    'starts another program',
    pdf(['x'], { catalog: '/OpenAction << /S /Launch /F (calc.exe) >>' }),
    /other programs/,
  ],
  [
    'contains other files',
    pdf(['x'], { catalog: '/Names << /EmbeddedFiles << /Names [] >> >>' }),
    /attachments/,
  ],
  [
    'is protected by a password',
    pdf(['x'], { trailer: '/Encrypt << /Filter /Standard /V 2 /R 3 >>' }),
    /password/,
  ],
  [
    'hides objects in an unusual way',
    pdf(['x'], { objects: [packed('<< >>', '/DecodeParms << /Predictor 12 >>')] }),
    /damaged/,
  ],
  ['has more behind its end', Buffer.concat([pdf(), Buffer.from('behind')]), /behind the end/],
  ['sends a form', pdf(['x'], { catalog: '/OpenAction << /S /SubmitForm >>' }), /more than show pages/],
  ['plays a film', pdf(['x'], { objects: ['<< /Type /Annot /Subtype /RichMedia >>'] }), /film/],
  ['was cut', pdf(['x'.repeat(9_000)]).subarray(0, 9_000), /incomplete/],
  ['has no page that can be read', Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF'), /incomplete/],
  [
    'is an archive too',
    Buffer.concat([pdf(), Buffer.from('PK\x01\x02…PK\x05\x06'), Buffer.alloc(18)]),
    /another kind of file/,
  ],
  [
    'is a page too',
    Buffer.concat([Buffer.from('%PDF-1.7\n<html><script>1</script>\n'), pdf()]),
    /another kind of file/,
  ],
  [
    'unpacks to gigabytes',
    pdf(['x'], { objects: [pdfStream(Buffer.alloc(300_000_000, ' '), '/Type /ObjStm /N 1 /First 4')] }),
    /damaged/,
  ],
])('a PDF that %s is refused with what to do, and the next one is received', async (_what, file, message) => {
  expect(await messageOf(file)).toMatch(message)
  expect((await send()).status).toBe(201)
})

test('a PDF is known by its bytes, a picture has its own limit', async () => {
  const named = await asOwner.post('/media', formOf(pdf(['y']), { acteur_id: acteur.id }, 'photo.jpg'))
  expect(named.body.data.kind).toBe('document')
  const picture = await asOwner.post('/media', formOf(await png(), { acteur_id: acteur.id }, 'affiche.pdf'))
  expect(picture.body.data.kind).toBe('image')
  expect(await send(Buffer.concat([await png(), Buffer.alloc(12_000_000)]))).toBeError(
    413,
    'payload_too_large',
  )
  expect(await send(Buffer.alloc(20_000_001))).toBeError(413, 'payload_too_large')
})

test('a publication has its documents in their order, at public addresses', async () => {
  const [one, two] = [await document(undefined, { nom: 'Été 2026' }), await document()]
  const { id, documents } = await publish([one, two])
  expect(documents[0].url).toBe(`/api/v1/media/${one}/ete-2026.pdf`)
  const shown = (await get(`/publications/${id}`)).body.data.documents
  expect(shown).toEqual([
    {
      ...{ id: one, nom: 'Été 2026', pages: 1, bytes: expect.any(Number), url: `/media/${one}/ete-2026.pdf` },
      apercu: expect.objectContaining({ 400: expect.objectContaining({ webp: `/media/${one}/400.webp` }) }),
    },
    expect.objectContaining({ id: two }),
  ])
  expect((await at(shown[0].apercu[400].webp)).status).toBe(200)
  const response = await at(shown[0].url)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(shown[0].bytes),
    'cache-control': 'public, max-age=31536000, s-maxage=60, immutable',
    'content-disposition': `inline; filename="ete-2026.pdf"; filename*=UTF-8''%C3%89t%C3%A9%202026.pdf`,
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-tag': expect.stringContaining(`publications:${one}`),
  })
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(response.headers.get('content-security-policy')).not.toContain('script')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const etag = response.headers.get('etag') ?? ''
  expect((await at(shown[0].url, { 'if-none-match': etag })).status).toBe(304)
  const head = await at(shown[0].url, {}, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
  const other = await at(`/media/${one}/affiche.pdf`)
  expect([other.status, other.headers.get('location')]).toEqual([302, shown[0].url])
  for (const [range, from, to] of [
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, bytes.length],
    ['bytes=-5', bytes.length - 5, bytes.length],
  ] as const) {
    const part = await at(shown[0].url, { range })
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${from}-${to - 1}/${bytes.length}`,
    ])
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to))).toBe(true)
  }
  expect((await at(shown[0].url, { range: `bytes=${bytes.length}-` })).status).toBe(416)
  expect((await at(shown[0].url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
  expect((await at(shown[0].url, { range: 'bytes=0-1,3-4' })).status).toBe(200)
})

test('a large document arrives whole', async () => {
  const noise = Buffer.alloc(3_000_000)
  for (let byte = 0; byte < noise.length; byte++) noise[byte] = (byte * 2_654_435_761) % 251
  const file = pdf(['z'], {
    objects: [
      Buffer.concat([
        Buffer.from(`<< /Length ${noise.length} >>\nstream\n`),
        noise,
        Buffer.from('\nendstream'),
      ]),
    ],
  })
  const id = await document(file)
  await publish([id])
  const response = await at(`/media/${id}/compte-rendu.pdf`)
  expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true)
})

test('documents of others, unknown ones, pictures and six are refused', async () => {
  const image = (await asOwner.post('/media', formOf(await png('#333'), { acteur_id: acteur.id }))).body.data
    .id
  const foreign = await document(undefined, { acteur_id: pending.acteur.id }, pending.asOwner)
  const own = await document()
  for (const [documents, field] of [
    [[foreign], 'documents.0'],
    [[own, uuidv7()], 'documents.1'],
    [[image], 'documents.0'],
  ] as const) {
    const answer = await asOwner.post('/publications', { ...content, documents })
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details.map((one: { field: string }) => one.field)).toEqual([field])
  }
  expect(await asOwner.post('/publications', { ...content, images: [own] })).toBeError(
    422,
    'validation_failed',
  )
  for (const documents of [[own, own], Array.from({ length: 6 }, () => uuidv7())])
    expect(await asOwner.post('/publications', { ...content, documents })).toBeError(422, 'validation_failed')
})

test('versions show documents, and a moderator removes one and chooses no other', async () => {
  const [one, two] = [await document(), await document()]
  const { id } = await publish([one, two])
  const correct = (documents: string[]) =>
    moderator.patch(`/admin/publications/${id}`, { documents, reason: 'Périmé' })
  expect((await correct([two])).body.data.documents).toMatchObject([{ id: two }])
  expect(await correct([two, one])).toBeError(422, 'validation_failed')
  expect((await at(`/media/${one}/compte-rendu.pdf`)).status).toBe(404)
  const { body } = await admin.get(`/admin/publications/${id}/history`)
  const orders = body.data.map(({ documents }: { documents: { id: string }[] }) =>
    documents.map((each) => each.id),
  )
  expect(orders).toEqual([[two], [one, two]])
})

test('a document is public exactly while a publication that shows it is', async () => {
  const id = await document()
  const path = `/media/${id}/compte-rendu.pdf`
  const never = await at(`/media/${uuidv7()}/compte-rendu.pdf`)
  const hidden = await at(path)
  expect([hidden.status, never.status]).toEqual([404, 404])
  const made = await publish([id])
  expect((await at(path)).status).toBe(200)
  const generation = () => changes?.generationOf([`publications:${id}`]) ?? 0
  const before = generation()
  await admin.patch(`/admin/publications/${made.id}/moderate`, { moderation_status: 'rejected' })
  await expect.poll(generation).toBeGreaterThan(before)
  for (const method of ['GET', 'HEAD'])
    for (const file of ['compte-rendu.pdf', 'autre.pdf', '400.webp'])
      expect((await at(`/media/${id}/${file}`, { range: 'bytes=0-9' }, method)).status).toBe(404)
  const stranger = client({ token: (await user()).token })
  for (const reader of [asOwner, moderator, admin])
    expect((await reader.get(`/media/${id}/compte-rendu.pdf`)).status).toBe(200)
  const part = await asOwner.get(`/media/${id}/compte-rendu.pdf`, { headers: { range: 'bytes=0-4' } })
  expect([part.status, part.text]).toEqual([206, '%PDF-'])
  for (const other of [stranger, pending.asOwner])
    expect(await other.get(`/media/${id}/compte-rendu.pdf`)).toBeError(404, 'not_found')
})

test('a published document takes another name without a moderator only from acteurs that may publish', async () => {
  const hers = pending.asOwner
  const id = await document(undefined, { acteur_id: pending.acteur.id }, hers)
  const made = (await hers.post('/publications', { ...pending.content, documents: [id] })).body.data
  expect((await hers.patch(`/media/${id}`, { nom: 'Avant' })).body.data.can).toEqual(['edit'])
  await admin.patch(`/admin/publications/${made.id}/moderate`, { moderation_status: 'published' })
  const canOf = async (by: typeof hers) => (await by.get(`/media/${id}`)).body.data.can
  expect([await canOf(hers), await canOf(moderator)]).toEqual([[], ['edit']])
  const refused = await hers.patch(`/media/${id}`, { nom: 'Achetez ici' })
  expect(refused).toBeError(409, 'conflict')
  expect(refused.body.message).toContain('send the document again')
  expect((await moderator.patch(`/media/${id}`, { nom: 'Après' })).status).toBe(200)
  expect((await get(`/publications/${made.id}`)).body.data.documents[0].nom).toBe('Après')
})

test('a search finds words of a document and names it, unless title, text or place have them', async () => {
  const [one, two] = [
    await document(pdf(['Le zonage assainissement']), { nom: 'Annexe' }),
    await document(pdf(['Budget primitif', 'Recettes de fonctionnement']), { nom: 'Budget 2027' }),
  ]
  const { id } = await publish([one, two], { title: 'Conseil du mardi', body: 'Les zonages sont affichés.' })
  const found = async (q: string, path = '/publications') =>
    (await get(`${path}?q=${encodeURIComponent(q)}`)).body.data.map(
      ({ id, found_in }: { id: string; found_in?: { nom: string } }) => [id, found_in?.nom ?? null],
    )
  expect(await found('recettes primitives')).toEqual([[id, 'Budget 2027']])
  expect(await found('fonctionnem')).toEqual([[id, 'Budget 2027']])
  expect(await found('conseil assainissement')).toEqual([[id, 'Annexe']])
  expect(await found('zonages mardi')).toEqual([[id, null]])
  expect(await found('recettes', `/communes/${commune.id}/publications`)).toEqual([[id, 'Budget 2027']])
  for (const [path, reader] of [
    ['/admin/publications', admin],
    ['/me/publications', asOwner],
  ] as const)
    expect((await reader.get(`${path}?q=recettes`)).body.data).toMatchObject([{ id, found_in: { id: two } }])
  const page = await (await at('/recherche?q=recettes')).text()
  expect(page).toContain('dans le document « Budget 2027 »')
  await asOwner.patch(`/publications/${id}`, { documents: [one] })
  expect(await found('recettes')).toEqual([])
})

test.runIf(isWhole)(
  'documents with more words than PostgreSQL stores do not keep a publication from being written',
  async () => {
    const many = Array.from({ length: 5 }, async (_, at) => {
      const id = await document()
      await sql`
      update media_documents set words = document_search(
        (select string_agg(md5(${at} || '-' || n), ' ') from generate_series(1, 8000) n)) where media_id = ${id}`.execute(
        db,
      )
      return id
    })
    const { id } = await publish(await Promise.all(many), { title: 'Volumineux' })
    expect((await get('/publications?q=volumineux')).body.data).toMatchObject([{ id }])
  },
)

test('a document in use is not deleted, and the sweep deletes what nothing shows', async () => {
  const id = await document()
  const made = await publish([id])
  expect(await asOwner.delete(`/media/${id}`)).toBeError(409, 'in_use')
  await sql`update media set unused_since = now() - interval '9 days' where id = ${id}`.execute(db)
  await deleteUnused(db, 100)
  expect((await asOwner.get(`/media/${id}`)).status).toBe(200)
  await asOwner.patch(`/publications/${made.id}`, { documents: [] })
  await noteUnused(db)
  await sql`update media set unused_since = now() - interval '9 days' where id = ${id}`.execute(db)
  await deleteUnused(db, 100)
  expect(await asOwner.get(`/media/${id}`)).toBeError(404, 'not_found')
})

test('an export has the document that the person sent, and an erasure removes it with its words', async () => {
  const { id: userId, token } = await user({ memberships: [{ acteur, role: 'owner' }] })
  const file = pdf(['Un mot introuvable ailleurs'])
  const hers = await document(file, {}, client({ token }))
  const { id } = await publish([hers])
  const reading = { db, modules, config: world.config, clock: () => new Date() }
  let exported = ''
  for await (const piece of exportPerson(reading, { userIds: [userId], emails: [] })) exported += piece
  const [row] = JSON.parse(exported).media
  expect(Buffer.from(row.pdf_base64, 'base64').equals(file)).toBe(true)
  const tools = { ...reading, jobs: world.jobs, digests: identityDigests(world.config) }
  await erasePerson(tools, { user: userId })
  expect((await get(`/publications/${id}`)).body.data.documents).toEqual([])
  expect((await get('/publications?q=introuvable')).body.data).toEqual([])
})

test('the page of a publication shows name, type, size, pages and first page of its documents', async () => {
  const id = await document(pdf(['a', 'b']), { nom: 'Bulletin <automne>' })
  const { slug } = await publish([id])
  const text = await (await at(`/publications/${slug}`)).text()
  expect(text).toContain(`<a href="/media/${id}/bulletin-automne.pdf">`)
  expect(text).toContain('Bulletin &lt;automne&gt;')
  expect(text).toMatch(/PDF, \d+\sko, 2 pages/)
  expect(text).toContain(`/media/${id}/400.avif`)
})
