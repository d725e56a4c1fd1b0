import { once } from 'node:events'
import { get, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { statementsAbout } from '../../test/support/statements.ts'
import { openWorld, run } from '../../test/support/world.ts'
import { placesPerAddress } from './finished-files.ts'

// Generous timeout for steps that are immediate on a quiet machine.
const generous = { timeout: 60_000 }
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

test('a file is built once for all who request it, at most once a minute', async () => {
  await addCollectes(10)
  const readAll = () =>
    Promise.all(
      Array.from({ length: 6 }, async (_, at) => (await open(`127.0.1.${1 + (at >> 1)}`)).toArray()),
    )
  expect(await builds(readAll)).toBe(1)
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

test('the third answer at once to an address is refused with 429 and Retry-After; the next after one has ended is not', async () => {
  await addCollectes(20_000)
  setMinutes(20)
  const [first] = [await open(), await open()]
  for (const encoding of ['gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding }
    const third = await fetch(`${url}/donnees/collectes.json`, { headers })
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await third.text()).not.toBe('')
  }
  // Another address has its own.
  expect((await open('127.0.0.2')).statusCode).toBe(200)
  first.destroy()
  await vi.waitFor(async () => expect((await open()).statusCode).toBe(200), generous)
})

test('whoever has left takes no place', async () => {
  const takePlace = placesPerAddress(1)
  const answer = () => new ServerResponse(new IncomingMessage(new Socket()))
  const first = answer()
  takePlace('a', first)
  expect(() => takePlace('a', answer())).toThrow(expect.objectContaining({ code: 'rate_limited' }))
  takePlace('b', answer())
  const left = answer()
  left.destroy()
  expect(() => takePlace('b', left)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  first.emit('close')
  takePlace('a', answer())
})
