import { BlockList } from 'node:net'
import { describe, expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { isRefused, privateAddresses } from './addresses.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

const list = privateAddresses()

// First and last address of each range, then its public neighbours if it has any.
const ranges: Array<[first: string, last: string, ...beside: string[]]> = [
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255'],
]

const spans = ranges.map(([first, last]) => [number(first), number(last)] as const)

/** Ways to write an IPv4 address that reach it; the first three are valid for a public one. */
const embeddings: Record<string, (address: number) => string> = {
  plain: dotted,
  mapped: (address) => `::ffff:${hex(address)}`,
  nat64: (address) => `64:ff9b::${hex(address)}`,
  'mapped, dotted': (address) => `::ffff:${dotted(address)}`,
  compatible: (address) => `::${dotted(address)}`,
  translated: (address) => `::ffff:0:${hex(address)}`,
  'local nat64': (address) => `64:ff9b:1::${hex(address)}`,
  '6to4': (address) => `2002:${hex(address)}::1`,
  teredo: (address) => `2001:0:4136:e378:8000:63bf:${hex(~address >>> 0)}`,
}

const privateIpv4 = fc.constantFrom(...spans).chain(([min, max]) => fc.integer({ min, max }))
const publicIpv4 = fc
  .integer({ min: 0, max: 0xdfffffff })
  .filter((n) => !spans.some(([a, b]) => n >= a && n <= b))

describe('isRefused', () => {
  test.each(ranges)('covers %s to %s and not its public neighbours', (first, last, ...beside) => {
    expect([first, last].map((address) => isRefused(address, list))).toEqual([true, true])
    expect(beside.filter((address) => isRefused(address, list))).toEqual([])
  })

  test.each([
    ...words(':: ::1 ::fffe:ffff:ffff ::1:0:0:0 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:db8::1 2002::1'),
    ...words('3fff::1 4000:: 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 febf::1 fec0::1 ff02::1'),
    ...words('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80::1%eth0 2606:4700::1%eth0'),
    ...words('localhost 127.1 2130706433 0177.0.0.1 [::1] 1.1.1.1:80 1.1.1.1/32'),
    ...['', ' 1.1.1.1'],
  ])('refuses %s', (address) => {
    expect(isRefused(address, list)).toBe(true)
  })

  test.each(
    words('2000::1 2001:200::1 2001:4860::8888 2003::1 2606:4700::1111 2a01:cb00::1 3ffe::1 3fff:1000::1'),
  )('allows %s', (address) => {
    expect(isRefused(address, list)).toBe(false)
  })

  test('refuses every private IPv4 address in every embedding', () => {
    const embedding = fc.constantFrom(...Object.values(embeddings))
    fc.assert(
      fc.property(privateIpv4, embedding, (address, write) => isRefused(write(address), list)),
      { numRuns: propertyRuns(10) },
    )
  })

  test('allows every public IPv4 address, plain, mapped or by NAT64', () => {
    const embedding = fc.constantFrom(...Object.values(embeddings).slice(0, 3))
    fc.assert(
      fc.property(publicIpv4, embedding, (address, write) => !isRefused(write(address), list)),
      { numRuns: propertyRuns(10) },
    )
  })

  test('refuses every IPv6 address outside 2000::/3 that does not embed a public IPv4 address', () => {
    const groups = fc.tuple(
      fc.integer({ min: 0, max: 0xffff }),
      fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 }),
    )
    const outside = groups.filter(
      ([first]) => (first < 0x2000 || first > 0x3fff) && first !== 0 && first !== 0x64,
    )
    fc.assert(
      fc.property(outside, ([first, rest]) =>
        isRefused([first, ...rest].map((n) => n.toString(16)).join(':'), list),
      ),
    )
  })

  test('with an empty list refuses only invalid addresses', () => {
    expect(isRefused('127.0.0.1', new BlockList())).toBe(false)
    expect(isRefused('nowhere', new BlockList())).toBe(true)
  })
})

test('refuses a URL with a private address, in any embedding, before a DNS lookup', async () => {
  const resolve = () => Promise.reject(new Error('a literal address was looked up'))
  const guardedFetch = createGuardedFetch({ allowPrivate: false, resolve })
  const hosts = fc.tuple(
    privateIpv4,
    fc.constantFrom(...Object.values(embeddings), String, hexNumber, octalParts),
  )
  await fc.assert(
    fc.asyncProperty(hosts, async ([address, write]) => {
      const written = write(address)
      const host = written.includes(':') ? `[${written}]` : written
      await expect(guardedFetch(`http://${host}/feed`)).rejects.toMatchObject({ reason: 'private_address' })
    }),
    { numRuns: propertyRuns(5) },
  )
})

function words(text: string): string[] {
  return text.split(' ')
}

function number(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function bytes(address: number): number[] {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255)
}

function dotted(address: number): string {
  return bytes(address).join('.')
}

function hex(address: number): string {
  return `${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`
}

function hexNumber(address: number): string {
  return `0x${address.toString(16)}`
}

function octalParts(address: number): string {
  return bytes(address)
    .map((byte) => `0${byte.toString(8)}`)
    .join('.')
}
