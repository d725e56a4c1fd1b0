import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGuardedFetch } from './guarded-fetch.ts'
import { resolver } from './resolve.ts'

const noHosts = '/nonexistent'

/** Starts a name server. An answer is an address as four bytes, null for none, undefined for no response. */
async function nameServer(answer: (name: string, isIpv4: boolean) => number[] | null | undefined) {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  const asked = new Set<string>()
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12)
    const name = readName(query.subarray(12, end))
    asked.add(name)
    const found = answer(name, query.readUInt16BE(end + 1) === 1)
    if (found !== undefined) reply(socket, query.subarray(0, end + 5), found, from.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { servers: [`127.0.0.1:${socket.address().port}`], asked }
}

/** Encodes labels, each preceded by its length. */
function readName(labels: Buffer): string {
  const [length = 0] = labels
  const rest = labels.subarray(length + 1)
  const label = labels.toString('latin1', 1, length + 1)
  return rest.length === 0 ? label : `${label}.${readName(rest)}`
}

function reply(socket: Socket, question: Buffer, address: number[] | null, port: number): void {
  const header = Buffer.from(question)
  header.writeUInt16BE(address === null ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(address === null ? 0 : 1, 6)
  header.writeUInt32BE(0, 8)
  // A pointer to the name in the question, A, IN, a TTL, and the address behind its length.
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]
  socket.send(address === null ? header : Buffer.concat([header, Buffer.from([...record, ...address])]), port)
}

test('finds the IPv4 and IPv6 addresses of a name, and fails if it has neither', async () => {
  const { servers } = await nameServer((name, isIpv4) =>
    name === 'feed.test' && isIpv4 ? [93, 184, 216, 34] : null,
  )
  const resolve = resolver({ servers, hostsFile: noHosts })
  expect(await resolve('feed.test')).toEqual(['93.184.216.34'])
  expect(await resolve('Feed.test.')).toEqual(['93.184.216.34'])
  await expect(resolve('none.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('a name in the hosts file causes no DNS query', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-hosts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const hostsFile = join(folder, 'hosts')
  writeFileSync(
    hostsFile,
    '127.0.0.1\tlocalhost\n10.0.0.9 Feed.test other.test # 10.0.0.8 old.test\n::9 feed.test\n',
  )
  const { servers, asked } = await nameServer(() => null)
  const resolve = resolver({ servers, hostsFile })
  expect(await resolve('feed.test')).toEqual(['10.0.0.9', '::9'])
  await expect(resolve('old.test')).rejects.toThrow()
  expect([...asked]).toEqual(['old.test'])
})

test('a name that resolves to a private address is refused', async () => {
  const { servers } = await nameServer((_name, isIpv4) => (isIpv4 ? [10, 1, 2, 3] : null))
  const fetch = createGuardedFetch({
    allowPrivate: false,
    resolve: resolver({ servers, hostsFile: noHosts }),
  })
  await expect(fetch('http://feed.test/')).rejects.toMatchObject({ reason: 'private_address' })
})

test('while a name server is unresponsive, only the fetches wait, and other lookups do not', async () => {
  const { servers, asked } = await nameServer(() => undefined)
  const resolve = resolver({ servers, hostsFile: noHosts })
  const fetch = createGuardedFetch({ allowPrivate: false, timeoutMs: 60_000, resolve })
  const leaving = new AbortController()
  let isOver = false
  const names = Array.from({ length: 32 }, (_, n) => `feed-${n}.test`)
  const fetches = Promise.allSettled(names.map((name) => fetch(`http://${name}/`, leaving))).then((ends) => {
    isOver = true
    return ends
  })
  // As for the database: Node uses two of its threads for such lookups.
  for (let n = 0; n < 20; n++) await lookup('localhost')
  expect(isOver).toBe(false)
  await expect.poll(() => asked.size).toBe(32)
  leaving.abort()
  for (const end of await fetches) expect(end).toMatchObject({ reason: { reason: 'aborted' } })
})
