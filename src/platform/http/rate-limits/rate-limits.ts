import { createHmac, hkdfSync } from 'node:crypto'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { rateLimited } from '../../errors.ts'
import { addressCaller, addressNetwork } from '../../formats/network-address.ts'
import { warnOncePerMinute } from '../../log/log.ts'
import type { RateLimit } from '../../rate-limit.ts'
import { type HttpServer, readsBodyFirst } from '../http-server.ts'
import { type Counter, counter } from './counters.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate limit that counts requests to this route: those of everybody, or of everybody but administrators. */
    limit?: string | { name: string; sparesAdmins: true }
  }
}

/** Returns the name of the limit that counts requests to a route. */
export const limitOf = ({ limit }: FastifyContextConfig): string | null =>
  typeof limit === 'object' ? limit.name : (limit ?? null)

export const sparesAdmins = ({ limit }: FastifyContextConfig): boolean => typeof limit === 'object'

type Options = {
  db: Database
  limits: Record<string, RateLimit>
  /**
   * Hash key, equal in every instance and stored outside the database: without it a hashed address could be
   * guessed.
   */
  secret: string
  /** Timeout for counting in the database; afterwards this instance counts separately. */
  timeoutMs?: number | undefined
}

export type RateLimits = {
  /** Counts a request towards its route's limit, if there is one. A signed-in user is counted as the caller. */
  consume(request: FastifyRequest, userId: string | null): Promise<void>
  /** Counts towards a limit by a custom key, such as an address that was typed. */
  countKey(name: string, key: string): Promise<void>
  /** Undoes the last `countKey`, because the action did not fail. */
  giveBackKey(name: string, key: string): Promise<void>
  /** Counts towards a limit by a custom key and the network of the client: the IPv4 address, or the /48 of IPv6. */
  countNetwork(name: string, key: string, request: FastifyRequest): Promise<void>
  /** Counts an action of a client, by its address and the surrounding network. */
  countClient(name: string, what: string, request: FastifyRequest): Promise<void>
  /** Undoes the last `countClient`, because the action did not fail. */
  giveBackClient(name: string, what: string, request: FastifyRequest): Promise<void>
}

/**
 * Limits requests per caller. Requests are counted after authentication, when the caller is known. A caller
 * who was just refused is refused again from memory before all other checks, so that a flood causes no
 * database queries.
 */
export function rateLimits(server: HttpServer, { db, limits, secret, timeoutMs = 300 }: Options): RateLimits {
  const hash = keyedHash(secret)
  const blocks = expiringSet(10_000)
  const warnUnavailable = warnOncePerMinute(server.log, 'rate limits are counted locally by this instance')
  const counts = { caller: new Map<string, Counter>(), network: new Map<string, Counter>() }
  for (const [name, limit] of Object.entries(limits)) {
    if (limit === 'off') continue
    // One limiter cleans up for all.
    const clears = counts.caller.size === 0
    const ofNetwork = { ...limit, points: limit.points * 10 }
    counts.caller.set(name, counter(db, name, limit, { warn: warnUnavailable, timeoutMs, clears }))
    counts.network.set(
      name,
      counter(db, name, ofNetwork, { warn: warnUnavailable, timeoutMs, clears: false }),
    )
  }

  // `shown` identifies the caller before authentication: the token or the address.
  async function count(name: string, of: keyof typeof counts, key: string, shown = key) {
    const waitMs = (await counts[of].get(name)?.take(hash(name, key))) ?? 0
    if (waitMs === 0) return
    blocks.add(hash(name, shown), waitMs)
    throw tooMany(waitMs)
  }
  // Counts the caller first: a refused request does not count towards the shared network.
  async function countAddress(name: string, request: FastifyRequest) {
    const { caller, network } = keysOf(request)
    await count(name, 'caller', caller)
    if (network !== null) await count(name, 'network', network)
  }
  function refuseBlocked(name: string, shown: string | null) {
    const waitMs = shown === null ? 0 : blocks.msLeft(hash(name, shown))
    if (waitMs > 0) throw tooMany(waitMs)
  }
  function refuseBlockedAddress(name: string, request: FastifyRequest) {
    const { caller, network } = keysOf(request)
    refuseBlocked(name, caller)
    refuseBlocked(name, network)
  }

  server.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    const name = limitOf(config)
    if (name === null || readsBodyFirst(config) || blocks.isEmpty()) return
    const shown = credentialOf(request)
    if (shown !== null) refuseBlocked(name, shown)
    else refuseBlockedAddress(name, request)
  })

  return {
    async consume(request, userId) {
      const name = limitOf(request.routeOptions.config)
      if (name === null) return
      if (userId === null) await countAddress(name, request)
      else await count(name, 'caller', `user ${userId}`, credentialOf(request) ?? undefined)
    },
    countKey: (name, key) => count(name, 'caller', key),
    giveBackKey: async (name, key) => counts.caller.get(name)?.giveBack(hash(name, key)),
    countNetwork(name, key, request) {
      const { caller, network } = keysOf(request)
      return count(name, 'caller', `${network ?? caller} ${key}`)
    },
    async countClient(name, what, request) {
      const { caller, network } = keysOf(request)
      await count(name, 'caller', `${what} ${caller}`)
      if (network !== null) await count(name, 'network', `${what} ${network}`)
    },
    async giveBackClient(name, what, request) {
      const { caller, network } = keysOf(request)
      await counts.caller.get(name)?.giveBack(hash(name, `${what} ${caller}`))
      if (network !== null) await counts.network.get(name)?.giveBack(hash(name, `${what} ${network}`))
    },
  }
}

const tooMany = (waitMs: number) => rateLimited(Math.ceil(waitMs / 1_000))

/** Key that identifies a caller before authentication; null without credentials. */
function credentialOf({ headers }: FastifyRequest): string | null {
  if (headers.authorization) return `token ${headers.authorization}`
  return headers.cookie ? `cookie ${headers.cookie}` : null
}

/** Returns the keys an address counts as: the caller, and its network with ten times the limit. */
function keysOf(request: FastifyRequest) {
  const network = addressNetwork(request.ip)
  return { caller: `address ${addressCaller(request.ip)}`, network: network && `network ${network}` }
}

/** Hashes caller keys. Addresses are personal and tokens secret: neither is stored, in memory or in the database. */
function keyedHash(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parvis rate limits', 32))
  return (name: string, caller: string) =>
    createHmac('sha256', key).update(`${name} ${caller}`).digest('base64url').slice(0, 22)
}

/** A set of keys that expire. It evicts the oldest when full, which costs one more statement for that key. */
function expiringSet(max: number) {
  const ends = new Map<string, number>()
  return {
    add(key: string, ms: number) {
      ends.delete(key)
      ends.set(key, Date.now() + ms)
      for (const oldest of ends.keys()) {
        if (ends.size <= max) break
        ends.delete(oldest)
      }
    },
    isEmpty: () => ends.size === 0,
    msLeft(key: string): number {
      const left = (ends.get(key) ?? 0) - Date.now()
      if (left <= 0) ends.delete(key)
      return left
    },
  }
}
