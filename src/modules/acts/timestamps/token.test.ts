import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '../chain.ts'
import { hasOpenssl, openAuthority } from './authority.test-kit.ts'
import { readReply, requestFor } from './token.ts'

const digest = sha256('sceau')
const now = new Date()

test.skipIf(!hasOpenssl).each(['rsa:2048', 'ec'])(
  'believes OpenSSL with a key of the kind %s',
  async (key) => {
    const { root, reply } = await openAuthority({ key })
    const request = requestFor(digest)
    const roots = [new X509Certificate(root)]
    const { at, authority } = readReply(reply(request.der), request, { roots, now })
    expect(authority).toBe('Horodatage de test')
    expect(Math.abs(at.getTime() - now.getTime())).toBeLessThan(60_000)
  },
)

test.skipIf(!hasOpenssl)('believes no other authority, digest, request or time', async () => {
  const { root, reply } = await openAuthority()
  const stranger = await openAuthority()
  const roots = [new X509Certificate(root)]
  const request = requestFor(digest)
  const der = reply(request.der)
  expect(() => readReply(stranger.reply(request.der), request, { roots, now })).toThrow('nobody trusted')
  expect(() => readReply(der, { ...request, digest: sha256('x') }, { roots, now })).toThrow('another digest')
  expect(() => readReply(der, requestFor(digest), { roots, now })).toThrow('another request')
  const tomorrow = new Date(now.getTime() + 86_400_000)
  expect(() => readReply(der, request, { roots, now: tomorrow })).toThrow('its time is')
})

test.skipIf(!hasOpenssl)('believes no reply with a flipped byte of what is signed', async () => {
  const { root, reply } = await openAuthority()
  const roots = [new X509Certificate(root)]
  const request = requestFor(digest)
  const der = reply(request.der)
  const read = (bytes: Buffer) => readReply(bytes, request, { roots, now })
  const { at } = read(der)
  const step = 23
  let refused = 0
  for (let index = 0; index < der.length; index += step) {
    const flipped = Buffer.from(der)
    flipped[index] = (flipped[index] ?? 0) ^ 1
    try {
      // The byte belongs to a part that is not signed.
      expect(read(flipped)).toMatchObject({ at })
    } catch {
      refused++
    }
  }
  expect(refused).toBeGreaterThan(der.length / step / 2)
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<html>')],
  ['a refusal', Buffer.from('30053003020102', 'hex')],
])('refuses %s', (_name, der) => {
  expect(() => readReply(der, requestFor(digest), { roots: [], now })).toThrow()
})
