import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { allowPrivate, importsKit, rss } from '../imports.test-kit.ts'

const world = await openWorld({ env: allowPrivate })
const { source, run, publications } = await importsKit(world)
const feed = rss({ guid: '1', title: 'Un', description: 'Été' })

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
])('reads a response encoded as %s; a bomb fails the run, not the service', async (encoding, compress) => {
  const headers = { 'content-encoding': encoding }
  const made = await source({ body: compress(feed), headers })
  expect(await run(made)).toMatchObject({ status: 'succeeded', fetched: 1 })
  const bomb = await source({ body: compress(Buffer.alloc(11_000_000, ' ')), headers })
  expect(await run(bomb)).toMatchObject({
    status: 'failed',
    error: 'The answer is larger than the size limit.',
  })
})

test('fails the run for a response that is too large or has a wrong encoding', async () => {
  const large = await source({ body: Buffer.alloc(10_000_001, ' ') })
  expect(await run(large)).toMatchObject({ status: 'failed', error: expect.stringMatching(/size limit/) })
  const lying = await source({ body: 'no gzip', headers: { 'content-encoding': 'gzip' } })
  expect(await run(lying)).toMatchObject({ status: 'failed', error: expect.stringMatching(/decompressed/) })
})

test('uses the character set of the header', async () => {
  const body = Buffer.from('id;titre;texte\n1;Été;à\n', 'latin1')
  const made = await source(
    { body, headers: { 'content-type': 'text/csv; charset=ISO-8859-1' } },
    { type: 'csv', mapping: { external_id: 'id', title: 'titre', body: 'texte' } },
  )
  await run(made)
  expect(await publications(made)).toMatchObject([{ title: 'Été', body: 'à' }])
})

/** Starts an agenda server with pages of two and cursors. */
async function openAgenda(next: (after: number) => unknown) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const after = Number(new URL(request.url ?? '', 'http://x').searchParams.get('after[]') ?? 0)
    const events = [1, 2].map((n) => ({
      uid: after + n,
      nextTiming: { begin: '2099-01-02' },
      title: { fr: `Concert ${after + n}` },
    }))
    response.end(JSON.stringify({ events: after > 4 ? [] : events, after: next(after) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}/events?key=1&after[]=0` }
}

test('reads an agenda page by page with its cursors', async () => {
  const { asked, url } = await openAgenda((after) => (after < 4 ? [after + 2] : null))
  const made = await source('', { type: 'openagenda', url })
  expect(await run(made)).toMatchObject({ status: 'succeeded', fetched: 6, created: 6 })
  expect(asked.map((path) => new URL(path, 'http://x').searchParams.getAll('after[]'))).toEqual([
    ['0'],
    ['2'],
    ['4'],
  ])
  for (const path of asked) expect(path).toContain('key=1')
})

test('ends an agenda whose cursors form a loop', async () => {
  const { asked, url } = await openAgenda(() => [2])
  const made = await source('', { type: 'openagenda', url })
  expect(await run(made)).toMatchObject({ status: 'succeeded', fetched: 4 })
  expect(asked).toHaveLength(2)
})

test('ends at an invalid cursor', async () => {
  const { url } = await openAgenda(() => [{ no: 'cursor' }])
  const made = await source('', { type: 'openagenda', url })
  expect(await run(made)).toMatchObject({ status: 'succeeded', fetched: 2 })
})
