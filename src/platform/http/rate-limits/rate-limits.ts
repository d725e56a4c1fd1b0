import { createHmac, hkdfSync } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { rateLimited } from '../../errors.ts'
import { warnOncePerMinute } from '../../log/log.ts'
import type { HttpServer } from '../http-server.ts'
import { addressCaller, addressNetwork } from './addresses.ts'
import { type Count, counter } from './counters.ts'
import type { RateLimit } from './settings.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate limit that a call of this route counts towards. */
    limit?: string
    /** That limit is for members of acteurs: calls of administrators are not counted. */
    sparesAdmins?: boolean
  }
}

type Options = {
  db: Database
  limits: Record<string, RateLimit>
  /** The same in every instance, and kept outside the database: without it a hashed address could be guessed. */
  secret: string
  /** How long a request waits to be counted in the database, before this instance counts it alone. */
  patienceMs?: number | undefined
}

/**
 * How often a caller may call. Counted after authentication, when the caller is known; a caller who was just refused
 * is refused again before anything else, from memory, so that a flood costs the database nothing.
 */
export function rateLimits(server: HttpServer, { db, limits, secret, patienceMs = 300 }: Options) {
  const hash = keyedHash(secret)
  const blocks = expiringSet(10_000)
  const warnAway = warnOncePerMinute(server.log, 'rate limits are counted by this instance alone')
  const counts = { caller: new Map<string, Count>(), network: new Map<string, Count>() }
  for (const [name, limit] of Object.entries(limits)) {
    if (limit === 'off') continue
    // One clears for all.
    const clears = counts.caller.size === 0
    const ofNetwork = { ...limit, points: limit.points * 10 }
    counts.caller.set(name, counter(db, name, limit, { warn: warnAway, patienceMs, clears }))
    counts.network.set(name, counter(db, name, ofNetwork, { warn: warnAway, patienceMs, clears: false }))
  }

  // `shown` is what tells the caller apart before anybody has been authenticated: the token, or the address.
  async function count(name: string, of: keyof typeof counts, key: string, shown = key) {
    const waitMs = (await counts[of].get(name)?.(hash(name, key))) ?? 0
    if (waitMs === 0) return
    blocks.add(hash(name, shown), waitMs)
    throw tooMany(waitMs)
  }
  // The caller first: what is refused it is not counted towards the network that it shares.
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
    const name = request.routeOptions.config.limit
    if (name === undefined) return
    if (request.headers.authorization) refuseBlocked(name, tokenOf(request))
    else refuseBlockedAddress(name, request)
  })

  return {
    /** Counts a request towards its route's limit, if it has one. The user, when there is one, is the caller. */
    async consume(request: FastifyRequest, userId: string | null): Promise<void> {
      const name = request.routeOptions.config.limit
      if (name === undefined) return
      if (userId === null) await countAddress(name, request)
      else await count(name, 'caller', `user ${userId}`, tokenOf(request))
    },
  }
}

const tooMany = (waitMs: number) => rateLimited(Math.ceil(waitMs / 1_000))
const tokenOf = (request: FastifyRequest) => `token ${request.headers.authorization}`

/** What its address counts as: the caller, and the network that holds ten times as much. */
function keysOf(request: FastifyRequest) {
  const network = addressNetwork(request.ip)
  return { caller: `address ${addressCaller(request.ip)}`, network: network && `network ${network}` }
}

/** Addresses are personal, tokens secret: neither is stored, here or in the database. */
function keyedHash(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parvis rate limits', 32))
  return (name: string, caller: string) =>
    createHmac('sha256', key).update(`${name} ${caller}`).digest('base64url').slice(0, 22)
}

/** Keys that end by themselves. When there are too many the oldest goes: it costs one more statement to be back. */
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
    msLeft(key: string): number {
      const left = (ends.get(key) ?? 0) - Date.now()
      if (left <= 0) ends.delete(key)
      return left
    },
  }
}
