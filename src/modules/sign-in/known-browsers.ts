import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { digestOfValue } from '../../platform/access/cookies.ts'
import { ownIssuer } from '../../platform/access/tokens.ts'
import type { RouteDeps } from '../../platform/module.ts'
import { findUserId } from '../users/queries.ts'

/**
 * Remembers in a browser which accounts have signed in there, also after they sign out: a flood of requests for mails
 * does not keep their owners from getting one there. The cookie `known` holds one tag per account, a keyed digest of the
 * user and of the browser's `device` cookie. Without the key nobody makes a tag, or reads whose it is; a tag is worth
 * nothing in another browser.
 */

const maxAccounts = 8
const yearS = 365 * 86_400

/** Adds a user who has signed in to the browser's cookie. The oldest of more than eight is dropped. */
export function rememberBrowser(
  { config, cookies }: Pick<RouteDeps, 'config' | 'cookies'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
  deviceHash: Buffer | null,
): void {
  if (deviceHash === null) return
  const [tag = '', ...older] = tagsOf(config.sessionKeys, userId, deviceHash)
  const others = storedTags(cookies.read(request, 'known')).filter((one) => ![tag, ...older].includes(one))
  cookies.set(reply, 'known', [tag, ...others].slice(0, maxAccounts).join('.'), yearS)
}

/** Returns a name of the browser if the user of this address has signed in there; null otherwise. */
export async function findKnownBrowser(
  { reads, config, cookies }: Pick<RouteDeps, 'reads' | 'config' | 'cookies'>,
  request: FastifyRequest,
  address: string,
): Promise<string | null> {
  if (cookies.read(request, 'known') === null) return null
  const userId = await findUserId(reads, { issuer: ownIssuer, subject: address })
  return userId === null ? null : knownBrowserOf({ config, cookies }, request, userId)
}

/** Returns a name of the browser if this user has signed in there; null otherwise. */
export function knownBrowserOf(
  { config, cookies }: Pick<RouteDeps, 'config' | 'cookies'>,
  request: FastifyRequest,
  userId: string,
): string | null {
  const device = cookies.read(request, 'device')
  const stored = storedTags(cookies.read(request, 'known'))
  if (device === null || stored.length === 0) return null
  const deviceHash = digestOfValue(device)
  const isKnown = tagsOf(config.sessionKeys, userId, deviceHash).some((tag) =>
    stored.some((one) => timingSafeEqual(Buffer.from(one), Buffer.from(tag))),
  )
  return isKnown ? `browser ${deviceHash.toString('base64url')}` : null
}

const storedTags = (value: string | null): string[] => value?.split('.') ?? []

/** Returns the tag by each key: the first one is stored, the others are accepted during a key rotation. */
const tagsOf = (sessionKeys: readonly string[], userId: string, deviceHash: Buffer): string[] =>
  sessionKeys.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'parvis known browsers', 32))
    return createHmac('sha256', key).update(userId).update(deviceHash).digest('base64url').slice(0, 22)
  })
