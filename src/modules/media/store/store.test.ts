import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { openAssociation } from '../../publications/publications.test-kit.ts'
import { formOf, pdf, png } from '../media.test-kit.ts'
import { deleteUnused } from '../sweep.ts'
import { storeHandler } from './moving.ts'
import { createObjectStore, digestsOf, pieceBytes, StoreFailed } from './object-store.ts'
import { openS3 } from './s3-server.test-kit.ts'

const s3 = await openS3()
const world = await openWorld({ env: s3.env })
const { db, url, config, log } = world
const { acteur, asOwner, owner, content } = await openAssociation(world, { can_publish: true })

const tend = () =>
  storeHandler({ db, config, log }).perform(
    {},
    { id: 'job', attempt: 1, signal: new AbortController().signal },
  )
let color = 0
async function publishPicture() {
  const file = await png(`#${(++color).toString(16).padStart(6, '0')}`)
  const sent = await asOwner.post('/media', formOf(file, { acteur_id: acteur.id, alt: 'Un étal' }))
  expect(sent.status).toBe(201)
  const { id } = sent.body.data
  const { body } = await asOwner.post('/publications', { ...content, images: [id] })
  return { id: id as string, publication: body.data.id as string, path: `/media/${id}/400.webp` }
}
const at = async (path: string, headers = {}) => {
  const response = await fetch(`${url}${path}`, { headers })
  return {
    status: response.status,
    body: Buffer.from(await response.arrayBuffer()),
    headers: response.headers,
  }
}
const rows = async () => {
  const { rows } = await sql<{ here: number; there: number; objects: number }>`
    select count(content)::int as here, count(object)::int as there,
      (select count(*)::int from media_objects) as objects from media_variants`.execute(db)
  return rows[0]
}
beforeEach(() => s3.behave(null))

test('bytes move to the store within a run of the job, and addresses answer the same', async () => {
  const { id, path } = await publishPicture()
  const before = await at(path)
  expect(before.status).toBe(200)
  await tend()
  expect(await rows()).toEqual({ here: 0, there: 3, objects: 3 })
  expect([...s3.objects.keys()].every((key) => key.startsWith('/parvis-media/in-Bresse/'))).toBe(true)
  const after = await at(path)
  expect(after).toMatchObject({ status: 200, body: before.body })
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
  expect((await asOwner.get(`/media/${id}/400.jpg`)).status).toBe(200)
  const asked = s3.asked.length
  await tend()
  expect(s3.asked).toHaveLength(asked)
})

test('a document and any part of it come from the store', async () => {
  const noise = `%${Buffer.from(Array.from({ length: pieceBytes }, (_, at) => 32 + ((at * at) % 90))).toString()}`
  const file = pdf(['Ordre du jour'], { objects: [`<< >>\n${noise}\n`, `<< >>\n${noise}x\n`] })
  const sent = await asOwner.post('/media', formOf(file, { acteur_id: acteur.id, nom: 'Plan' }, 'plan.pdf'))
  expect(sent.status).toBe(201)
  await asOwner.post('/publications', { ...content, documents: [sent.body.data.id] })
  const path = `/media/${sent.body.data.id}/plan.pdf`
  const whole = await at(path)
  expect(whole.body.length).toBeGreaterThan(2 * pieceBytes)
  await tend()
  expect(await at(path)).toMatchObject({ status: 200, body: whole.body })
  for (const [first, last] of [
    [0, 9],
    [pieceBytes - 5, pieceBytes + 5],
    [10, 2 * pieceBytes + 3],
  ] as const) {
    const part = await at(path, { range: `bytes=${first}-${last}` })
    expect(part).toMatchObject({ status: 206, body: whole.body.subarray(first, last + 1) })
  }
  s3.behave((_method, response) => !!response.writeHead(500).end())
  const failed = await at(path)
  expect(failed.status).toBe(503)
})

test('a store that fails is a 503 with a sentence for its pictures alone', async () => {
  const { path } = await publishPicture()
  const right = await at(path)
  await tend()
  const faults: Parameters<typeof s3.behave>[0][] = [
    (_method, response) => !!response.writeHead(503).end('slow down'),
    (_method, response) => !!response.socket?.destroy(),
    // Cut in the middle, too short, too long, and of the right length.
    (_method, response, content) => {
      response.writeHead(200, { 'content-length': content?.length }).write(content?.subarray(0, 10))
      return setImmediate(() => response.socket?.destroy()).hasRef()
    },
    (_method, response, content) => !!response.writeHead(200).end(content?.subarray(1)),
    (_method, response, content) =>
      !!response.writeHead(200).end(Buffer.concat([content ?? Buffer.of(), Buffer.of(0)])),
    (_method, response, content) => !!response.writeHead(200).end(Buffer.from(content ?? '').fill(7, 20, 21)),
    (_method, response) => !!response.writeHead(404).end(),
  ]
  for (const fault of faults) {
    s3.behave(fault)
    const answer = await at(path, { 'accept-language': 'fr' })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body.toString()).toMatch(/momentanément indisponible/)
    expect((await at('/api/v1/publications', { 'x-app-source': 'public' })).status).toBe(200)
    s3.behave(null)
    expect(await at(path)).toMatchObject({ status: 200, body: right.body })
  }
})

test('uploads do not wait for a store that is down, and move when it is back', async () => {
  s3.behave((_method, response) => !!response.socket?.destroy())
  const { path } = await publishPicture()
  await tend()
  expect((await at(path)).status).toBe(200)
  expect((await rows())?.here).toBe(3)
  s3.behave(null)
  await tend()
  expect(await rows()).toMatchObject({ here: 0 })
  const { objects, there } = (await rows()) ?? {}
  // The object that the failed run noted is deleted.
  expect(objects).toBe(there)
})

test('a store that loses what it accepted keeps nothing from the database', async () => {
  const { path } = await publishPicture()
  s3.behave((method, response) => method === 'PUT' && !!response.writeHead(200).end())
  await tend()
  expect((await rows())?.here).toBe(3)
  expect((await at(path)).status).toBe(200)
  s3.behave(null)
  await tend()
  expect((await rows())?.here).toBe(0)
})

test('a deleted picture leaves the store, also when the store fails at first', async () => {
  const { id, publication } = await publishPicture()
  await tend()
  const before = s3.objects.size
  await asOwner.patch(`/publications/${publication}`, { images: [] })
  expect((await asOwner.delete(`/media/${id}`)).status).toBe(200)
  s3.behave((method, response) => method === 'DELETE' && !!response.writeHead(500).end())
  await tend()
  expect(s3.objects.size).toBe(before)
  s3.behave(null)
  await tend()
  expect(s3.objects.size).toBe(before - 3)
  expect(await rows()).toMatchObject({ objects: before - 3 })
})

test('what a crash leaves in the store is deleted after an hour, and what is being written is not', async () => {
  const store = createObjectStore(s3.place)
  const [old, recent] = ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d01', '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d02']
  for (const id of [old, recent]) {
    const bytes = Buffer.from('orphan')
    await sql`
      insert into media_objects (id, bytes, digests, created_at)
      values (${id}, 6, ${digestsOf(bytes)}, now() - make_interval(mins => ${id === old ? 61 : 59}))`.execute(
      db,
    )
    await store.put({ id, bytes: 6, digests: digestsOf(bytes) }, bytes)
  }
  const left = () => [...s3.objects.keys()].filter((key) => key.includes('0199c9a3-5b8e')).length
  await tend()
  expect(left()).toBe(1)
  await sql`update media_objects set created_at = now() - interval '2 hours' where id = ${recent}`.execute(db)
  await tend()
  expect(left()).toBe(0)
})

test('the bytes of a picture are counted while they are in the database', async () => {
  const full = await openWorld({ database: world.database, env: { ...s3.env, MEDIA_MAX_TOTAL: '1MB' } })
  await sql`
    insert into media_variants (sha256, width, format, bytes, content)
    values (repeat('0', 64), 400, 'jpeg', 1048576, decode(repeat('00', 1048576), 'hex'))`.execute(db)
  const send = async () =>
    full
      .client({ source: 'mairie', token: owner.token })
      .post('/media', formOf(await png('#abc'), { acteur_id: acteur.id }))
  expect(await send()).toBeError(409, 'media_full')
  await sql`delete from media_variants where sha256 = repeat('0', 64)`.execute(db)
})

test('a store that hangs fails in time, and many reads of it do not wait one after the other', async () => {
  const bytes = Buffer.from('hello')
  const object = { id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d03', bytes: 5, digests: digestsOf(bytes) }
  await createObjectStore(s3.place).put(object, bytes)
  const store = createObjectStore(s3.place, { readMs: 200, writeMs: 200 })
  s3.behave(() => true)
  const begun = performance.now()
  const results = await Promise.allSettled(Array.from({ length: 200 }, () => store.read(object)))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(performance.now() - begun).toBeLessThan(5_000)
  // It has just failed so often that it is not asked.
  const asked = s3.asked.length
  await expect(store.read(object)).rejects.toThrow(StoreFailed)
  expect(s3.asked).toHaveLength(asked)
  await expect(store.put(object, bytes)).rejects.toThrow(/in time/)
})

test('wrong keys are refused by the store, which the error says', async () => {
  const store = createObjectStore({ ...s3.place, secretAccessKey: 'other' })
  await expect(
    store.read({ id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d04', bytes: 1, digests: ['x'] }),
  ).rejects.toThrow('The store of MEDIA_URL returned 403.')
})

test('without MEDIA_URL, what is in the store is a 503', async () => {
  const { path } = await publishPicture()
  await tend()
  const other = await openWorld({ database: world.database })
  expect((await fetch(`${other.url}${path}`)).status).toBe(503)
})

test.each([
  [{ MEDIA_URL: 's3://bucket' }, /MEDIA_URL needs AWS_ACCESS_KEY_ID/],
  [{ MEDIA_URL: 'https://bucket' }, /MEDIA_URL must be an address such as/],
  [{ MEDIA_URL: 's3://bucket?region=x' }, /MEDIA_URL must be/],
  [{ MEDIA_URL: 's3://bucket?endpoint=ftp://x' }, /MEDIA_URL must be/],
  [{ MEDIA_STORE: 's3' }, /MEDIA_STORE=s3 needs MEDIA_URL/],
])('the start is refused with %j', (env, message) => {
  expect(() => readConfig(modules, { ...env, AUTH_JWT_SECRET: 'x'.repeat(32) })).toThrow(message)
})

test('what nothing uses any more leaves the store with the sweep', async () => {
  const { id, publication } = await publishPicture()
  await tend()
  const before = s3.objects.size
  await asOwner.patch(`/publications/${publication}`, { images: [] })
  await sql`update media set unused_since = now() - interval '8 days' where id = ${id}`.execute(db)
  await deleteUnused(db, 100)
  await tend()
  expect(s3.objects.size).toBe(before - 3)
})
