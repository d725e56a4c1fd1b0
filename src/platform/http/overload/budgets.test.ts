import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { type Account, spentMs } from '../../time/processing-time.ts'
import * as audiences from '../audiences.ts'

const started: string[] = []
const world = await openWorld({
  budgetMs: 60_000,
  extraRoutes(api, deps) {
    const querystring = Type.Object({ name: Type.String(), ms: Type.Integer() })
    const schema = (operationId: string) => ({
      ...{ operationId, summary: operationId, tags: ['communes'], querystring },
      response: { 200: Type.Unknown() },
    })
    const work = async ({ query: { name, ms } }: { query: Static<typeof querystring> }) => {
      started.push(name)
      const until = performance.now() + ms
      while (performance.now() < until);
      return {}
    }
    audiences.open(api, (scope) => {
      scope.get<{ Querystring: Static<typeof querystring> }>('/test/work', { schema: { querystring } }, work)
    })
    audiences.publicReads(api, deps, (scope) => {
      scope.get(
        '/test/query',
        { config: { caching: { never: 'test' } }, schema: schema('query') },
        async ({ query }) => {
          await sql`select pg_sleep(${query.ms / 1_000})`.execute(deps.reads)
          return {}
        },
      )
    })
    audiences.bearer(api, deps, (scope) => {
      scope.get('/test/own', { schema: schema('own') }, work)
    })
  },
})
const { budgets, turns } = world.app

type Work = { path?: string; name?: string; ms?: number; from?: string; token?: string }
/** Sends a request from an address of this machine, on a connection of its own. */
function send({ path = 'work', name = '', ms = 0, from = '127.0.0.1', token }: Work) {
  const agent = new Agent()
  onTestFinished(async () => agent.destroy())
  const headers = { 'x-app-source': 'public', ...(token && { authorization: `Bearer ${token}` }) }
  const target = `${world.url}/api/v1/test/${path}?name=${name}&ms=${ms}`
  return new Promise<number | undefined>((resolve, reject) => {
    get(target, { agent, headers, localAddress: from }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    }).once('error', reject)
  })
}
/** Each test has addresses of its own. */
let tests = 0
const addressOf = (client: number) => `127.0.${tests}.${client}`
beforeEach(() => {
  tests++
  started.length = 0
})

/** The account of an address, or of a person whose token has been used. */
const accountOf = (remoteAddress: string, token = '') =>
  budgets.payerOf({
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    socket: { remoteAddress },
  } as IncomingMessage).account
/** Spends a budget for longer than a test takes. */
function spend(account: Account) {
  account.spentMs = 1e9
}

async function open(localAddress: string) {
  const socket = connect({ port: Number(new URL(world.url).port), host: '127.0.0.1', localAddress })
  onTestFinished(async () => void socket.destroy())
  await once(socket, 'connect')
  return socket
}
const requestOf = (name: string) => `GET /api/v1/test/work?name=${name}&ms=1 HTTP/1.1\r\nHost: a\r\n\r\n`

test('requests of an address that has spent its budget wait behind those of others', async () => {
  const [flooding, other] = [await open(addressOf(1)), await open(addressOf(2))]
  spend(accountOf(addressOf(1)))
  expect(budgets.spent).toBe(1)
  for (const name of ['a', 'b', 'c']) {
    other.write(requestOf(name))
    // In sixteen at a time, they would end before the third of the other.
    if (name === 'a') flooding.write(requestOf('flood').repeat(200))
    await once(other, 'data')
  }
  expect(started.indexOf('c')).toBeLessThan(60)
  // They are served all the same.
  await vi.waitUntil(() => started.length === 203, { timeout: 60_000 })
})

test('the time of the event loop and of the database counts, and fades', async () => {
  // As on a machine of its own, where the event loop has a processor whenever it has work.
  const clock = vi.spyOn(process, 'threadCpuUsage')
  clock.mockImplementation(() => ({ user: performance.now() * 1_000, system: 0 }))
  onTestFinished(() => void clock.mockRestore())
  const account = accountOf(addressOf(1))
  await send({ ms: 100, from: addressOf(1) })
  const afterWork = account.spentMs
  expect(afterWork).toBeGreaterThan(90)
  await send({ path: 'query', ms: 200 * availableParallelism(), from: addressOf(1) })
  expect(account.spentMs - afterWork).toBeGreaterThan(50)
  const later = { ...account, at: performance.now() - 30_000 }
  expect(spentMs(later)).toBeLessThan(account.spentMs / 10)
  expect(accountOf(addressOf(2)).spentMs).toBe(0)
})

test('a signed-in person has a budget of their own, at whatever address', async () => {
  const { token } = await world.user()
  await send({ path: 'own', token, from: addressOf(1) })
  spend(accountOf(addressOf(1)))
  const { late } = turns
  expect(await send({ path: 'own', token, from: addressOf(1) })).toBe(200)
  expect(turns.late).toBe(late)
  await send({ from: addressOf(1) })
  expect(turns.late).toBe(late + 1)
  spend(accountOf('', token))
  await send({ path: 'own', token, from: addressOf(3) })
  expect(turns.late).toBe(late + 2)
  await send({ from: addressOf(3) })
  expect(turns.late).toBe(late + 2)
})
