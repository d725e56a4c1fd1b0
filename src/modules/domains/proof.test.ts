import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nameServer, publishText } from '../../../test/support/name-server.ts'
import { readConfig, settingsOf } from '../../platform/config/config.ts'
import { domains } from './module.ts'
import { createProver } from './proof.ts'
import { domainsSettings } from './settings.ts'

const token = 'q4Zc0yqgM3a7yXvT2bJm9kP1sWd8eLr5uNh6oFiGtRA'
const asked = { host: 'www.ville.test', token }
const servers = [await nameServer()]

async function prover(answer: RequestListener, allowPrivate = true) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  return createProver({
    ...{ nameServers: servers, allowPrivate },
    resolve: async () => ['127.0.0.1'],
    originsOf: (host) => [`http://${host}:${port}`],
  })
}

test('a file on the host that shows the token is a proof', async () => {
  const isProven = await prover(({ url, headers: { host } }, response) => {
    const isAsked = url === '/.well-known/parvis-domain' && host?.startsWith('www.ville.test:')
    response.writeHead(isAsked ? 200 : 404).end(`${token}\n`)
  })
  expect(await isProven(asked)).toBe(true)
  expect(await isProven({ host: 'autre.test', token })).toBe(false)
})

test.each<[string, RequestListener]>([
  ['another text', (_, response) => response.end(`${token}x`)],
  ['an error', (_, response) => response.writeHead(404).end(token)],
  ['more than a token', (_, response) => response.end(token.padEnd(2_000))],
  ['no answer', (_, response) => response.destroy()],
])('a file with %s is none', async (_, answer) => {
  expect(await (await prover(answer))(asked)).toBe(false)
})

test('a redirect to another host is no proof, one on the host is', async () => {
  const to =
    (location: (port: string) => string): RequestListener =>
    ({ url, headers }, response) => {
      if (url !== '/.well-known/parvis-domain') return response.end(token)
      return response.writeHead(302, { location: location(headers.host?.split(':')[1] ?? '') }).end()
    }
  expect(await (await prover(to(() => '/jeton')))(asked)).toBe(true)
  expect(await (await prover(to((port) => `http://autre.test:${port}/jeton`)))(asked)).toBe(false)
})

test('a host on a private network is not asked', async () => {
  let hits = 0
  const answer: RequestListener = (_, response) => {
    hits++
    response.end(token)
  }
  expect(await (await prover(answer, false))(asked)).toBe(false)
  expect(hits).toBe(0)
  publishText('_parvis.www.ville.test', token)
  expect(await (await prover(answer, false))(asked)).toBe(true)
})

test('DOMAIN_NAME_SERVERS takes addresses with a port or without', () => {
  const read = (DOMAIN_NAME_SERVERS: string) =>
    settingsOf(readConfig([domains], { DOMAIN_NAME_SERVERS }, { needsTokens: false }), domainsSettings)
      .nameServers
  expect(read('9.9.9.9, 127.0.0.1:5353,2620:fe::fe,[::1]:53')).toEqual([
    ...['9.9.9.9', '127.0.0.1:5353', '2620:fe::fe', '[::1]:53'],
  ])
  for (const wrong of ['dns.test', '9.9.9.9:70000', '9.9.9'])
    expect(() => read(wrong)).toThrow(/DOMAIN_NAME_SERVERS must be/)
})
