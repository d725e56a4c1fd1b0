import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { openMairie } from '../../../test/support/mairies.ts'
import { openSession } from '../../../test/support/sessions.ts'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { formOf, png } from '../media/media.test-kit.ts'
import { noteUnused } from '../media/queries.ts'
import { deleteUnused } from '../media/sweep.ts'
import { erasePerson } from '../privacy/erase.ts'
import { exportPerson } from '../privacy/export.ts'
import { auditedValues, insertPublication, openAssociation } from './publications.test-kit.ts'
import { moderationStatuses } from './schema.ts'

const world = await openWorld({ keeps: true, env: { CDN: 'on' } })
const { db, url, get, client, user, changes } = world
const { acteur, asOwner, asEditor, content, owner, commune } = await openAssociation(world, {
  can_publish: true,
})
const pending = await openAssociation(world)
const admin = await world.as('admin')
const moderator = await world.as('moderator')

let color = 0
async function picture(fields: Record<string, string> = {}, by = asOwner, acteurId = acteur.id) {
  const file = await png(`#${(++color).toString(16).padStart(6, '0')}`)
  const answer = await by.post('/media', formOf(file, { acteur_id: acteurId, alt: 'Un étal', ...fields }))
  return answer.body.data.id as string
}
const publish = async (images: string[]) =>
  (await asOwner.post('/publications', { ...content, images })).body.data
const at = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}${path}`, { method, headers })
const addressOf = (id: string, file = '400.webp') => `/media/${id}/${file}`

test('a publication has its pictures in their order, and its readers their public addresses', async () => {
  const [cover, other] = [await picture(), await picture({ alt: 'La buvette' })]
  const { id, images } = await publish([cover, other.toUpperCase()])
  expect(images[0].src[400].avif).toBe(`/api/v1/media/${cover}/400.avif`)
  const shown = (await get(`/publications/${id}`)).body.data.images
  expect(shown).toEqual([
    expect.objectContaining({ id: cover, alt: 'Un étal', decorative: false, width: 40, height: 30 }),
    expect.objectContaining({ id: other, alt: 'La buvette' }),
  ])
  expect(shown[0].src).toEqual({
    400: {
      avif: `/media/${cover}/400.avif`,
      webp: `/media/${cover}/400.webp`,
      jpeg: `/media/${cover}/400.jpg`,
    },
  })
  for (const [format, path] of Object.entries<string>(shown[0].src[400])) {
    const response = await at(path)
    expect(response.headers.get('content-type')).toBe(`image/${format}`)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, s-maxage=60, immutable')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  expect((await get(`/publications?commune_id=${commune.id}`)).body.data[0].images).toHaveLength(2)
  const [{ unused_since }] = (await asOwner.get('/media')).body.data
  expect(unused_since).toBeNull()
})

test('a new order is a new version, which the history and the audit log have', async () => {
  const [one, two] = [await picture(), await picture()]
  const { id } = await publish([one, two])
  expect((await asOwner.patch(`/publications/${id}`, { images: [two, one] })).status).toBe(200)
  expect((await asOwner.patch(`/publications/${id}`, { images: [] })).body.data.images).toEqual([])
  const { body } = await admin.get(`/admin/publications/${id}/history`)
  const orders = body.data.map(({ images }: { images: { id: string }[] }) => images.map((image) => image.id))
  expect(orders).toEqual([[], [two, one], [one, two]])
  const [, reordered] = await auditedValues(world, id)
  expect(reordered).toMatchObject({ before: { images: [one, two] }, after: { images: [two, one] } })
})

test('new pictures of an acteur that may not publish are read again', async () => {
  const { asOwner: hers, acteur: club, content: hersToo } = pending
  const id = await picture({}, hers, club.id)
  const made = (await hers.post('/publications', hersToo)).body.data
  await admin.patch(`/admin/publications/${made.id}/moderate`, { moderation_status: 'published' })
  const edited = await hers.patch(`/publications/${made.id}`, { images: [id] })
  expect(edited.body.data.moderation_status).toBe('pending')
  expect((await at(addressOf(id))).status).toBe(404)
})

test('a picture of another acteur, an unknown one, the same one twice and nine are refused', async () => {
  const foreign = await picture({}, pending.asOwner, pending.acteur.id)
  for (const [images, field] of [
    [[foreign], 'images.0'],
    [[await picture(), uuidv7()], 'images.1'],
  ] as const) {
    const answer = await asOwner.post('/publications', { ...content, images })
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details.map((one: { field: string }) => one.field)).toEqual([field])
  }
  const one = await picture()
  expect(await asOwner.post('/publications', { ...content, images: [one, one] })).toBeError(
    422,
    'validation_failed',
  )
  const nine = Array.from({ length: 9 }, () => uuidv7())
  expect(await asOwner.post('/publications', { ...content, images: nine })).toBeError(
    422,
    'validation_failed',
  )
})

test('a picture without a description may wait in a draft, and is not published', async () => {
  const form = formOf(await png('#fedcba'), { acteur_id: acteur.id })
  const bare = (await asOwner.post('/media', form)).body.data.id as string
  const refused = await asOwner.post('/publications', { ...content, images: [bare] })
  expect(refused).toBeError(422, 'alt_required')
  expect(refused.body.details[0].field).toBe('images.0')
  const { asOwner: hers, acteur: club, content: hersToo } = pending
  const waiting = (await hers.post('/media', formOf(await png('#fedcbb'), { acteur_id: club.id }))).body.data
    .id
  const { id } = (await hers.post('/publications', { ...hersToo, images: [waiting] })).body.data
  const decide = { moderation_status: 'published' }
  expect(await admin.patch(`/admin/publications/${id}/moderate`, decide)).toBeError(422, 'alt_required')
  expect(await admin.patch(`/admin/publications/${id}/valide`, { valide: true })).toBeError(
    422,
    'alt_required',
  )
  expect(await admin.patch('/admin/publications/bulk/moderate', { ...decide, ids: [id] })).toBeError(
    422,
    'alt_required',
  )
  expect((await hers.patch(`/media/${waiting}`, { decorative: true })).status).toBe(200)
  expect((await admin.patch(`/admin/publications/${id}/moderate`, decide)).status).toBe(200)
  expect(await hers.patch(`/media/${waiting}`, { decorative: false })).toBeError(422, 'alt_required')
})

test('a description is not taken from a picture in use, so that a restored publication has it', async () => {
  const image = await picture()
  const { id } = await publish([image])
  const remove = () => asOwner.patch(`/media/${image}`, { alt: null })
  expect(await remove()).toBeError(422, 'alt_required')
  await admin.patch(`/admin/publications/${id}/moderate`, { moderation_status: 'rejected' })
  expect(await remove()).toBeError(422, 'alt_required')
  await admin.delete(`/admin/publications/${id}`)
  expect(await remove()).toBeError(422, 'alt_required')
  expect((await asOwner.patch(`/media/${await picture()}`, { alt: null })).status).toBe(200)
})

test('the description of a published picture changes without a moderator only for acteurs that may publish', async () => {
  const { asOwner: hers, acteur: club, content: hersToo } = pending
  const image = await picture({}, hers, club.id)
  const { id } = (await hers.post('/publications', { ...hersToo, images: [image] })).body.data
  const describe = (alt: string, by = hers) => by.patch(`/media/${image}`, { alt })
  expect((await describe('La halle')).status).toBe(200)
  await admin.patch(`/admin/publications/${id}/moderate`, { moderation_status: 'published' })
  expect(await describe('Achetez ici')).toBeError(409, 'conflict')
  expect((await hers.patch(`/media/${image}`, { nom: 'halle' })).status).toBe(200)
  expect((await describe('La halle au blé', moderator)).status).toBe(200)
  expect((await get(`/publications/${id}`)).body.data.images[0].alt).toBe('La halle au blé')
  const own = await picture()
  await publish([own])
  expect((await asOwner.patch(`/media/${own}`, { alt: 'Deux étals' })).status).toBe(200)
})

test('a moderator sees a picture that waits in the pages of the back-office, which cannot name their application', async () => {
  const image = await picture({}, pending.asOwner, pending.acteur.id)
  const address = `/api/v1/media/${image}/400.webp`
  const headersOf = async (id: string) => (await openSession(db, id)).headers
  const [colleague, stranger] = [await user({ roles: ['moderator'] }), await user()]
  expect((await at(address, await headersOf(colleague.id))).status).toBe(200)
  expect((await at(address, await headersOf(stranger.id))).status).toBe(404)
  expect((await at(address, { authorization: `Bearer ${colleague.token}` })).status).toBe(404)
})

test('a picture that a publication shows is not deleted, unless the publication leaves it out', async () => {
  const image = await picture()
  const { id } = await publish([image])
  const refused = await asOwner.delete(`/media/${image}`)
  expect(refused).toBeError(409, 'in_use')
  expect(refused.body.message).toContain(content.title)
  await asOwner.delete(`/publications/${id}`)
  expect(await asOwner.delete(`/media/${image}`)).toBeError(409, 'in_use')
  const { id: next } = await publish([await picture(), image])
  await asOwner.patch(`/publications/${next}`, { images: [] })
  expect((await at(addressOf(image))).status).toBe(404)
})

test('a picture is deleted or used, never both', async () => {
  for (let round = 0; round < 5; round++) {
    const image = await picture()
    const [deleted, made] = await Promise.all([
      asOwner.delete(`/media/${image}`),
      asOwner.post('/publications', { ...content, images: [image] }),
    ])
    expect([deleted.status, made.status].sort()).toEqual(deleted.status === 200 ? [200, 422] : [201, 409])
  }
})

test('a moderator removes a picture and chooses no other', async () => {
  const [one, two] = [await picture(), await picture()]
  const { id } = await publish([one, two])
  const corrected = await moderator.patch(`/admin/publications/${id}`, { images: [two], reason: 'Floue' })
  expect(corrected.body.data.images).toMatchObject([{ id: two }])
  expect((await at(addressOf(one))).status).toBe(404)
  expect(await moderator.patch(`/admin/publications/${id}`, { images: [two, one] })).toBeError(
    422,
    'validation_failed',
  )
})

const times = [null, sql<Date>`now() - interval '1 hour'`, sql<Date>`now() + interval '1 hour'`]
const acteurs = await Promise.all([
  null,
  world.acteur(),
  world.acteur({ active: false }),
  world.acteur({ deleted_at: new Date() }),
])
/** Every state that the database accepts, for every kind of acteur. */
const states = moderationStatuses
  .flatMap((moderation_status) =>
    [true, false].flatMap((valide) =>
      times.flatMap((publie_le) =>
        [null, new Date()].flatMap((deleted_at) =>
          acteurs.map((one) => ({
            moderation_status,
            valide,
            publie_le,
            deleted_at,
            acteur_id: one?.id ?? null,
          })),
        ),
      ),
    ),
  )
  .filter(({ moderation_status: status, valide, publie_le }) => {
    const mayBeValid = status === 'approved' || status === 'published'
    return (mayBeValid || !valide) && (status !== 'published' || publie_le !== null)
  })

test('a picture is public exactly while a publication that shows it is, at each of its addresses', async () => {
  const [{ sha256 } = { sha256: '' }] = await db.selectFrom('media').select('sha256').limit(1).execute()
  const media = () => ({
    id: uuidv7(),
    kind: 'image',
    sha256,
    alt: 'Un étal',
    width: 40,
    height: 30,
    bytes: 1,
  })
  const shown = { moderation_status: 'published', valide: true, publie_le: times[1], deleted_at: null }
  const state = fc.oneof(fc.constantFrom(...states), fc.constant({ ...shown, acteur_id: null }))
  const file = fc.constantFrom('400.avif', '400.webp', '400.jpg', '800.webp', '400.png', '400.webp/')
  const headers = fc.constantFrom<Record<string, string>>(
    {},
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { authorization: `Bearer ${owner.token}`, 'x-app-source': 'backoffice' },
  )
  let public_ = 0
  const property = fc.asyncProperty(
    ...[fc.array(state, { maxLength: 3 }), file, headers, fc.constantFrom('GET', 'HEAD')],
    async (shownIn, file, headers, method) => {
      const image = media()
      await db.insertInto('media').values(image).execute()
      const rows = await Promise.all(
        shownIn.map((values) => insertPublication(world, { ...values, images: [image.id] })),
      )
      const reads = await Promise.all(rows.map(({ id }) => get(`/publications/${id}`)))
      const isPublic = reads.some(({ status }) => status === 200) && /^400\.(avif|webp|jpg)$/.test(file)
      const response = await at(addressOf(image.id, file), headers, method)
      expect(response.status).toBe(isPublic ? ('if-none-match' in headers ? 304 : 200) : 404)
      if (isPublic) public_ += 1
      else if (method === 'GET')
        expect(await bodyOf(response)).toBe(await bodyOf(await at(addressOf(uuidv7(), file))))
      await response.arrayBuffer().catch(() => undefined)
    },
  )
  await fc.assert(property, { numRuns: propertyRuns(2) })
  expect(public_).toBeGreaterThan(3)
})

/** Its body without the id of the request. */
const bodyOf = async (response: Response) => (await response.text()).replaceAll(/[0-9a-f-]{36}/g, '')

test('caches learn of a picture that disappears, and of a new description', async () => {
  const image = await picture()
  const { id } = await publish([image])
  const response = await at(addressOf(image))
  expect(response.headers.get('cache-tag') ?? 'no edge').toContain(`publications:${image}`)
  const generation = (tag: string) => changes?.generationOf([tag]) ?? 0
  const changed = async (tag: string, deed: () => Promise<unknown>) => {
    const before = generation(tag)
    await deed()
    await expect.poll(() => generation(tag)).toBeGreaterThan(before)
  }
  await get(`/publications/${id}`)
  await changed(`publications:${id}`, () => asOwner.patch(`/media/${image}`, { alt: 'Deux étals' }))
  expect((await get(`/publications/${id}`)).body.data.images[0].alt).toBe('Deux étals')
  const reject = { moderation_status: 'rejected' }
  await changed(`publications:${image}`, () => admin.patch(`/admin/publications/${id}/moderate`, reject))
  expect((await at(addressOf(image))).status).toBe(404)
  const again = { moderation_status: 'published' }
  await changed(`publications:${image}`, () => admin.patch(`/admin/publications/${id}/moderate`, again))
  await changed(`publications:${image}`, () => asOwner.patch(`/publications/${id}`, { images: [] }))
})

test('a picture comes from memory, with the same headers, until it disappears', async () => {
  const image = await picture()
  const { id } = await publish([image])
  await changes?.arrived()
  const read = async (headers: Record<string, string> = {}) => {
    const response = await at(addressOf(image), headers)
    const own = [...response.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
    return { status: response.status, own, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const first = await read()
  expect(first.bytes.length).toBeGreaterThan(0)
  expect(Object.fromEntries(first.own)).toMatchObject({
    'content-length': `${first.bytes.length}`,
    'content-type': 'image/webp',
    'cache-tag': expect.stringContaining(`publications:${image}`),
  })
  const bearer = { authorization: `Bearer ${owner.token}` }
  const statements = await statementsAbout(/\bfrom\b/, async () => {
    expect(await read()).toEqual(first)
    const etag = new Map(first.own).get('etag') ?? ''
    expect(await read({ 'if-none-match': etag })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    const { own, bytes } = await read(bearer)
    expect([bytes, new Map(own).get('cache-tag')]).toEqual([first.bytes, undefined])
  })
  expect(statements).toEqual([])
  await admin.patch(`/admin/publications/${id}/moderate`, { moderation_status: 'rejected' })
  expect((await read()).status).toBe(404)
})

test('whoever may read a draft sees its picture at the private address, and nobody else', async () => {
  const mairie = await openMairie(world)
  const path = async (id: string) => `/media/${id}/400.webp`
  const image = await picture({}, mairie.clubOwner, mairie.club.id)
  const before = await mairie.editor.get(await path(image))
  expect(before).toBeError(404, 'not_found')
  const made = await mairie.clubOwner.post('/publications', {
    ...content,
    acteur_id: mairie.club.id,
    images: [image],
  })
  expect(made.body.data.moderation_status).toBe('pending')
  for (const reader of [mairie.editor, mairie.clubOwner, moderator, admin])
    expect((await reader.get(await path(image))).status).toBe(200)
  const stranger = client({ token: (await user()).token })
  for (const other of [stranger, asOwner, asEditor])
    expect(await other.get(await path(image))).toBeError(404, 'not_found')
})

test('the sweep leaves what a publication shows, and counts from its removal', async () => {
  const image = await picture()
  const { id } = await publish([image])
  await sql`update media set unused_since = now() - interval '9 days' where id = ${image}`.execute(db)
  await deleteUnused(db, 100)
  expect((await at(addressOf(image))).status).toBe(200)
  await sql`update media set unused_since = null where id = ${image}`.execute(db)
  await asOwner.patch(`/publications/${id}`, { images: [] })
  await noteUnused(db)
  await deleteUnused(db, 100)
  expect((await asOwner.get(`/media/${image}`)).body.data.unused_since).not.toBeNull()
})

test('an export has what the person sent, and an erasure removes it, also where it is shown', async () => {
  const { id: userId, token } = await user({ memberships: [{ acteur, role: 'owner' }] })
  const [hers, other] = [await picture({}, client({ token })), await picture()]
  const { id } = await publish([hers, other])
  const { jobs, config } = world
  let exported = ''
  const reading = { db, modules, config, clock: () => new Date() }
  for await (const piece of exportPerson(reading, { userIds: [userId], emails: [] })) exported += piece
  const [sent] = JSON.parse(exported).media
  expect(sent).toMatchObject({ id: hers, alt: 'Un étal' })
  expect(Buffer.from(sent.jpeg_base64, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff')
  const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
  await erasePerson(tools, { user: userId })
  await expect
    .poll(async () => (await get(`/publications/${id}`)).body.data.images)
    .toMatchObject([{ id: other }])
  expect((await at(addressOf(hers))).status).toBe(404)
})

test('the page of a publication shows and loads its cover above the text first, and the others below it', async () => {
  const [cover, other] = [await picture({ alt: 'Le "marché"' }), await picture({ alt: 'La buvette' })]
  const { slug } = await publish([cover, other])
  const text = await (await at(`/publications/${slug}`)).text()
  expect(text).toContain(`<source type="image/avif" srcset="/media/${cover}/400.avif 40w"`)
  expect(text).toContain('alt="Le &quot;marché&quot;" fetchpriority="high" width="40" height="30">')
  expect(text).toContain('alt="La buvette" loading="lazy" width="40" height="30">')
  expect(text).toContain(`/media/${cover}/400.jpg"`)
  const places = [cover, 'class="text"', other].map((part) => text.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
