import { once } from 'node:events'
import { get, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { statementsAbout } from '../../test/support/statements.ts'
import { openWorld, run } from '../../test/support/world.ts'
import { placesPerAddress } from './finished-files.ts'

const world = await openWorld({ unreadLimits: { stalledMs: 3_000 } })
const { url, db } = world
const commune = await world.commune({ nom: 'Chambéry', slug: 'chambery' })
const start = Date.now()
const setMinutes = (minutes: number) => world.setClock(new Date(start + minutes * 60_000).toISOString())

const addCollectes = (count: number) =>
  sql`insert into collectes (id, commune_id, type_dechet, libelle, mode, jours, toutes_les_semaines, dates,
      exceptions, position, consignes)
    select gen_random_uuid(), ${commune.id}, 'verre', 'n' || n, 'porte_a_porte', '{}', 1, '{}', '[]', n,
      repeat('Sortir le bac. ', 60)
    from generate_series(1, ${count}) n`.execute(db)
const read = async () => (await (await fetch(`${url}/donnees/collectes.json`)).json()) as unknown[]
const builds = async (during: () => Promise<unknown>) =>
  (await statementsAbout(/"?collectes"?/, during)).length

/** Begins a download, and reads nothing of it. */
async function open(localAddress = '127.0.0.1'): Promise<IncomingMessage> {
  const request = get(`${url}/donnees/collectes.json`, { localAddress, agent: false })
  request.on('error', () => {})
  onTestFinished(() => void request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

/** On a busy machine, the wait may end before those that nobody reads do. */
async function openOnceThereIsAPlace(): Promise<IncomingMessage> {
  const response = await open()
  return response.statusCode === 429 ? openOnceThereIsAPlace() : response
}

test('a file is built once for all who request it, at most once a minute', async () => {
  await addCollectes(10)
  expect(await builds(() => Promise.all(Array.from({ length: 6 }, read)))).toBe(1)
  await addCollectes(10)
  setMinutes(0.9)
  expect(await builds(async () => expect(await read()).toHaveLength(10))).toBe(0)
  setMinutes(1.1)
  expect(await builds(async () => expect(await read()).toHaveLength(20))).toBe(1)
})

test('a file is compressed for those who accept that, and has its length when it is finished', async () => {
  await read()
  const load = async (encoding: string) => {
    const request = get(`${url}/donnees/collectes.json`, { headers: { 'accept-encoding': encoding } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.headers.vary).toContain('Accept-Encoding')
    const body = Buffer.concat(await response.toArray())
    expect(response.headers['content-length']).toBe(`${body.length}`)
    return { body, encoding: response.headers['content-encoding'] }
  }
  const plain = await load('identity')
  const compressed = await load('br, gzip;q=0.5')
  expect([plain.encoding, compressed.encoding]).toEqual([undefined, 'gzip'])
  expect(gunzipSync(compressed.body)).toEqual(plain.body)
  expect((await load('gzip;q=0')).encoding).toBeUndefined()
})

test('a failed build is answered as a failure, and the next request builds again', async () => {
  setMinutes(10)
  const { owner, service } = world.database
  await run(owner, `revoke select on collectes from ${service.user}`)
  expect((await fetch(`${url}/donnees/collectes.json`)).status).toBe(500)
  await run(owner, `grant select on collectes to ${service.user}`)
  expect(await read()).toHaveLength(20)
})

test('an address has two answers at a time; the third gets the place of one that nobody reads', async () => {
  await addCollectes(20_000)
  setMinutes(20)
  const sockets = new Set<Socket>()
  world.app.server.server.on('connection', (socket) => sockets.add(socket))
  for (let count = 0; count < 2; count++) await open()
  let closed = 0
  for (const socket of sockets) socket.once('close', () => closed++)
  const third = openOnceThereIsAPlace().then((response) => [response.statusCode, closed])
  // Another address does not wait.
  expect((await open('127.0.0.2')).statusCode).toBe(200)
  expect(await third).toEqual([200, expect.toBeOneOf([1, 2])])
})

test('who waits too long for a place gets 429', async () => {
  const takePlace = placesPerAddress(1, 10)
  const answer = () => new ServerResponse(new IncomingMessage(new Socket()))
  const first = answer()
  await takePlace('a', first)
  await expect(takePlace('a', answer())).rejects.toMatchObject({ code: 'rate_limited' })
  await takePlace('b', answer())
  const left = answer()
  const waiting = takePlace('a', left)
  left.emit('close')
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
  const next = takePlace('a', answer())
  first.emit('close')
  await next
})
