import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { unavailable } from '../../../platform/errors.ts'
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import { decoderOf } from '../../media/decoding/decoder.ts'
import { formOf, pdf, png } from '../../media/media.test-kit.ts'
import { auditedValues, insertPublication, openAssociation } from '../publications.test-kit.ts'
import { fetchDue } from './fetching.ts'
import { queueBacklog } from './queries.ts'

const world = await openWorld({ keeps: true })
const { db, get, url: service } = world
const { acteur, asOwner, content } = await openAssociation(world, { can_publish: true })
const other = await openAssociation(world, { can_publish: true })
const admin = await world.as('admin')
const warned: object[] = []
const tools = {
  db,
  fetch: createGuardedFetch({ allowPrivate: true, maxBytes: 100_000, timeoutMs: 60_000 }),
  decoder: decoderOf(world),
  log: { warn: (line: object) => void warned.push(line) },
}
const { signal } = new AbortController()

let answer: RequestListener
let asked: { path: string; at: number }[] = []
const server = createServer((request, response) => {
  asked.push({ path: request.url ?? '', at: performance.now() })
  answer(request, response)
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
afterAll(() => server.close())
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const shown = await png('#123456')
beforeEach(async () => {
  answer = (_request, response) => response.end(shown)
  asked = []
  await sql`delete from image_fetches`.execute(db)
  await sql`delete from image_hosts`.execute(db)
})

let number = 0
const newAddress = () => `${origin}/${++number}.png`
const publish = async (values: object, by = { asOwner, content }) =>
  (await by.asOwner.post('/publications', { ...by.content, title: `Marché ${number}`, ...values })).body.data
const read = async (id: string) => (await get(`/publications/${id}`)).body.data
/** The host is free, and what waits for a retry is due. In the past: the columns round to the next millisecond. */
const makeDue = async () => {
  await sql`update image_hosts set free_at = now() - interval '1 second'`.execute(db)
  await sql`update image_fetches set next_at = now() - interval '1 second' where state = 'waiting'`.execute(
    db,
  )
}
const runOnce = (now = tools) => fetchDue(now, signal, 60_000)
const stored = async (id: string) =>
  db
    .selectFrom('publications')
    .select(['image_url', 'images', 'fetched_image'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('the picture that a publication names becomes ours, and its address the answer', async () => {
  const image_url = newAddress()
  const { id } = await publish({ image_url })
  expect(await read(id)).toMatchObject({ image_url, images: [] })
  await runOnce()
  const { images, ...after } = await read(id)
  const [{ id: picture }] = images
  expect(images).toEqual([expect.objectContaining({ alt: null, decorative: true, width: 40 })])
  expect(after.image_url).toBe(`/media/${picture}/400.jpg`)
  expect((await fetch(`${service}${after.image_url}`)).headers.get('content-type')).toBe('image/jpeg')
  expect(await stored(id)).toEqual({ image_url, images: [picture], fetched_image: picture })
  expect((await asOwner.get(`/media/${picture}`)).body.data).toMatchObject({
    acteur_id: acteur.id,
    unused_since: null,
  })
  const [, taken] = await auditedValues(world, id)
  expect(taken).toMatchObject({ before: { images: null }, after: { images: [picture] } })
})

test('an address is fetched once for an acteur, and again for another', async () => {
  const image_url = newAddress()
  const hers = [await publish({ image_url }), await publish({ image_url })]
  const theirs = await publish({ image_url }, other)
  await runOnce()
  expect(asked).toHaveLength(2)
  const later = await publish({ image_url })
  await runOnce()
  expect(asked).toHaveLength(2)
  const [one, two, three, foreign] = await Promise.all([...hers, later, theirs].map(({ id }) => stored(id)))
  expect([two?.images, three?.images]).toEqual([one?.images, one?.images])
  expect(foreign?.images).not.toEqual(one?.images)
})

test('a host is asked once a second, however many workers there are', async () => {
  for (let count = 0; count < 3; count++) await publish({ image_url: newAddress() })
  await Promise.all([runOnce(), runOnce()])
  expect(asked).toHaveLength(3)
  const [first, second, third] = asked.map(({ at }) => at) as [number, number, number]
  expect(Math.min(second - first, third - second)).toBeGreaterThan(990)
})

test('a host that others redirect to is asked once a second too, and left alone when it says so', async () => {
  const times: number[] = []
  const target = createServer((request, response) => {
    times.push(performance.now())
    response.writeHead(request.url === '/busy.png' ? 429 : 200, { 'retry-after': '600' }).end(shown)
  })
  await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening))
  const { port } = target.address() as AddressInfo
  const there = `http://127.0.0.1:${port}`
  answer = ({ url }, response) => response.writeHead(302, { location: `${there}${url}` }).end()
  const ids = [await publish({ image_url: newAddress() }), await publish({ image_url: `${there}/own.png` })]
  await runOnce()
  const [first, second] = times as [number, number]
  expect(second - first).toBeGreaterThan(990)
  for (const { id } of ids) expect((await stored(id)).images).toHaveLength(1)
  answer = (_request, response) => response.writeHead(302, { location: `${there}/busy.png` }).end()
  await publish({ image_url: newAddress() })
  await makeDue()
  await runOnce()
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from free_at - now()) / 60)::int as minutes from image_hosts
    order by (host = ${`127.0.0.1:${port}`})`.execute(db)
  expect(rows).toEqual([{ minutes: 0 }, { minutes: 10 }])
  target.close()
})

test.each([
  ['a missing one', 404, () => Buffer.from('none'), 'missing', 3],
  ['a text', 200, () => Buffer.from('<html>'), 'unusable', 1],
  ['a PDF', 200, () => pdf(), 'unusable', 1],
  ['a truncated one', 200, () => shown.subarray(0, shown.length / 2), 'unusable', 1],
  ['a large one', 200, () => Buffer.alloc(100_001), 'too_large', 1],
  ['a server that fails', 503, () => Buffer.from(''), 'unreachable', 5],
])('%s is given up, and its author sees why', async (_what, status, body, problem, attempts) => {
  const image_url = newAddress()
  const { id } = await publish({ image_url })
  const page = body()
  answer = (_request, response) => response.writeHead(status).end(page)
  for (let attempt = 0; attempt < 6; attempt++) {
    await makeDue()
    await runOnce()
  }
  expect(asked).toHaveLength(attempts)
  expect((await admin.get(`/admin/publications/${id}`)).body.data).toMatchObject({
    ...{ image_url, images: [], image_problem: problem },
  })
  expect((await asOwner.get('/me/publications?per_page=1')).body.data[0].image_problem).toBe(problem)
})

test('addresses of the own network are refused', async () => {
  const { id } = await publish({ image_url: newAddress() })
  await runOnce({ ...tools, fetch: createGuardedFetch({ allowPrivate: false }) })
  expect(asked).toEqual([])
  expect((await admin.get(`/admin/publications/${id}`)).body.data.image_problem).toBe('refused')
})

test('a host that answers 429 with Retry-After is left alone, and the others are not', async () => {
  const { id } = await publish({ image_url: newAddress() })
  answer = (_request, response) => response.writeHead(429, { 'retry-after': '600' }).end()
  await runOnce()
  await publish({ image_url: newAddress() })
  expect(await runOnce()).toBe(0)
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from free_at - now()) / 60)::int as minutes from image_hosts`.execute(db)
  expect(rows).toEqual([{ minutes: 10 }])
  expect((await stored(id)).images).toBeNull()
})

test('a picture that cannot be decoded now is tried again, and the run goes on with the others', async () => {
  const [late, good] = [
    await publish({ image_url: newAddress() }),
    await publish({ image_url: newAddress() }),
  ]
  const poison = Buffer.from('poison')
  answer = ({ url }, response) => response.end(late.image_url.endsWith(url) ? poison : shown)
  const decode: typeof tools.decoder.decode = async (bytes, by) => {
    if (poison.equals(await bytes())) throw unavailable(new Error('it did not reply in time'), 60)
    return tools.decoder.decode(bytes, by)
  }
  const busy = { ...tools, decoder: { decode } }
  expect(await runOnce(busy)).toBe(2)
  expect((await stored(good.id)).images).toHaveLength(1)
  expect(warned).toHaveLength(1)
  expect((await admin.get(`/admin/publications/${late.id}`)).body.data.image_problem).toBeNull()
  await makeDue()
  await runOnce()
  expect((await admin.get(`/admin/publications/${late.id}`)).body.data.image_problem).toBe('unusable')
})

test('a change meanwhile counts: another address, pictures of her own, a deletion', async () => {
  const [changed, illustrated, gone] = [
    await publish({ image_url: newAddress() }),
    await publish({ image_url: newAddress() }),
    await publish({ image_url: newAddress() }),
  ]
  const own = (await asOwner.post('/media', formOf(await png(), { acteur_id: acteur.id, alt: 'Un étal' })))
    .body.data.id
  const next = newAddress()
  answer = async (request, response) => {
    const path = request.url ?? ''
    if (path === new URL(changed.image_url).pathname)
      await asOwner.patch(`/publications/${changed.id}`, { image_url: next })
    if (path === new URL(illustrated.image_url).pathname)
      await asOwner.patch(`/publications/${illustrated.id}`, { images: [own] })
    if (path === new URL(gone.image_url).pathname)
      await sql`delete from publications where id = ${gone.id}`.execute(db)
    response.end(shown)
  }
  await runOnce()
  expect(asked.map(({ path }) => path)).toContain(new URL(next).pathname)
  expect((await stored(changed.id)).image_url).toBe(next)
  expect((await stored(changed.id)).images).toHaveLength(1)
  expect(await stored(illustrated.id)).toMatchObject({ images: [own], fetched_image: null })
  const { rows } = await sql`select from image_fetches where state <> 'done'`.execute(db)
  expect(rows).toEqual([])
})

test('a worker that dies leaves the address to the next one, and cannot end it any more', async () => {
  const { id } = await publish({ image_url: newAddress() })
  const stop = new AbortController()
  answer = () => stop.abort()
  await expect(fetchDue(tools, stop.signal, 60_000)).rejects.toThrow()
  answer = (_request, response) => response.end(shown)
  await makeDue()
  await runOnce()
  expect((await stored(id)).images).toHaveLength(1)
  expect(asked).toHaveLength(2)
})

test('whoever removes the picture removes its address, and another address brings another picture', async () => {
  const image_url = newAddress()
  const [one, two] = [await publish({ image_url }), await publish({ image_url })]
  await runOnce()
  await asOwner.patch(`/publications/${one.id}`, { images: [] })
  expect(await stored(one.id)).toEqual({ image_url: null, images: null, fetched_image: null })
  const echoed = (await read(two.id)).image_url
  expect((await asOwner.patch(`/publications/${two.id}`, { image_url: echoed })).status).toBe(200)
  expect((await stored(two.id)).image_url).toBe(image_url)
  const next = newAddress()
  await asOwner.patch(`/publications/${two.id}`, { image_url: next })
  expect(await stored(two.id)).toEqual({ image_url: next, images: null, fetched_image: null })
  await makeDue()
  await runOnce()
  expect((await stored(two.id)).images).toHaveLength(1)
  expect((await admin.patch(`/admin/publications/${two.id}`, { image_url: null })).status).toBe(200)
  expect(await stored(two.id)).toEqual({ image_url: null, images: null, fetched_image: null })
})

test('a picture of which nothing is left is fetched again', async () => {
  const image_url = newAddress()
  const { id } = await publish({ image_url })
  await runOnce()
  await asOwner.patch(`/publications/${id}`, { image_url: null })
  await sql`delete from media`.execute(db)
  const again = await publish({ image_url })
  await makeDue()
  await runOnce()
  await makeDue()
  await runOnce()
  expect((await stored(again.id)).images).toHaveLength(1)
})

test('what publications named before the upgrade is queued in batches', async () => {
  const address = newAddress()
  const ids: string[] = []
  for (const image_url of [address, newAddress(), newAddress(), address])
    ids.push((await insertPublication(world, { image_url, acteur_id: acteur.id })).id)
  await sql`delete from image_fetches`.execute(db)
  await sql`delete from image_backlog`.execute(db)
  await sql`insert into image_backlog values ('', '00000000-0000-0000-0000-000000000000')`.execute(db)
  const [left] = (
    await sql<{ count: number }>`
    select count(*)::int as count from publications where image_url is not null and images is null`.execute(
      db,
    )
  ).rows
  let looked = 0
  for (let count = 1; count > 0; looked += count) count = await queueBacklog(db, 3)
  expect(looked).toBe(left?.count)
  const { rows } = await sql`select from image_fetches where host = ${new URL(origin).host}`.execute(db)
  expect(rows.length).toBeGreaterThanOrEqual(3)
  await sql`delete from image_fetches where not address = ${address}`.execute(db)
  await runOnce()
  for (const id of [ids[0], ids[3]]) expect((await stored(id as string)).images).toHaveLength(1)
})

test('a publication may name an address of any length in any script', async () => {
  const image_url = `https://${'é'.repeat(300)}.example/${'ü'.repeat(1_500)}?a=\\`
  const { id } = await insertPublication(world, { image_url, acteur_id: acteur.id })
  const { rows } = await sql<{ host: string }>`select host from image_fetches`.execute(db)
  expect(rows).toEqual([{ host: 'é'.repeat(255) }])
  expect((await stored(id)).images).toBeNull()
})
