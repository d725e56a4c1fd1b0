import { type Config, settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { createGuardedPost, type GuardedPost, type PostResult } from '../../../platform/fetch/guarded-post.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { importsSettings } from '../../imports/settings.ts'
import type { BrowserKeys, Contents } from '../addresses.ts'
import { listPushKeys, type PushKeys } from '../push-keys.ts'
import { isPushService, subscribersSettings } from '../settings.ts'
import type { Notice } from './broadcast.ts'
import type { Outcome } from './deliveries.ts'

/** What came of a message to a browser. `waitMs`: what its push service asked for. */
export type PushOutcome = { outcome: Outcome; waitMs?: number; error?: string }
export type PushSender = (to: Contents, notice: Notice, manage: string) => Promise<PushOutcome>

type Tools = { db: Database; config: Config; clock: Clock; post?: GuardedPost }

/**
 * Creates the sender of messages to browsers: encrypts each for its browser (RFC 8291), signs it for its push service (RFC 8292)
 * and posts it by the rules for untrusted addresses.
 *
 * Each push service waits on its own. One that asks for it (429, 503, Retry-After), or cannot be reached, is left alone for that
 * time: what is for it is postponed without an attempt, and the others go on.
 */
export function createPushSender({ db, config, clock, post = postOf(config) }: Tools): PushSender {
  const subject = subjectOf(config)
  const { pushServices } = settingsOf(config, subscribersSettings)
  const pauses = new Map<string, number>()
  const signatures = new Map<string, { header: string; until: number }>()
  let known: Promise<PushKeys[]> | undefined

  async function keysOf(serverKey: string): Promise<PushKeys | undefined> {
    const find = async () => (await known)?.find(({ publicKey }) => publicKey === serverKey)
    known ??= listPushKeys(db, config.sessionKeys)
    const found = await find().catch(() => undefined)
    if (found !== undefined) return found
    // Another instance has made it since.
    known = listPushKeys(db, config.sessionKeys)
    return find()
  }

  /** Signs for a push service. The signature is the same for all its browsers, and costs more than the encryption. */
  async function authorization(origin: string, keys: PushKeys): Promise<string> {
    const now = clock().getTime()
    const name = `${origin} ${keys.publicKey}`
    const signed = signatures.get(name)
    if (signed !== undefined && signed.until > now) return signed.header
    const { getVapidHeaders } = (await import('web-push')).default
    const expires = Math.floor(now / 1_000) + signatureSeconds
    const { Authorization: header } = getVapidHeaders(
      ...[origin, subject, keys.publicKey, keys.privateKey, 'aes128gcm' as const, expires],
    )
    remember(signatures, name, { header, until: now + (signatureSeconds * 1_000) / 2 })
    return header
  }

  async function requestTo(origin: string, browser: BrowserKeys, notice: Notice, manage: string) {
    const keys = await keysOf(browser.serverKey)
    if (keys === undefined) throw new Error('SESSION_KEY does not decrypt the push keys')
    const { encrypt } = (await import('web-push')).default
    const { title, body, path, tag, urgency, ttlSeconds } = notice
    const text = JSON.stringify({ title, body, path, tag, manage })
    return {
      body: encrypt(browser.p256dh, browser.auth, text, 'aes128gcm').cipherText,
      headers: {
        authorization: await authorization(origin, keys),
        ...{ ttl: `${ttlSeconds}`, urgency, topic: tag },
        ...{ 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' },
      },
    }
  }

  return async ({ channel, address, push }, notice, manage) => {
    if (channel !== 'push' || push === undefined) throw new Error('This subscriber has no browser.')
    const url = new URL(address)
    if (!isPushService(url, pushServices))
      return { outcome: 'refused', error: `${url.host} is not one of PUSH_SERVICES` }
    const { origin } = url
    const now = clock().getTime()
    const pausedMs = (pauses.get(origin) ?? 0) - now
    if (pausedMs > 0) return { outcome: 'postponed', waitMs: pausedMs }
    let request: Awaited<ReturnType<typeof requestTo>>
    try {
      request = await requestTo(origin, push, notice, manage)
    } catch (error) {
      return { outcome: 'failed', error: (error as Error).message }
    }
    const result = await post(address, request)
    const { pauseMs, ...outcome } = outcomeOf(result, clock)
    if (pauseMs !== undefined) remember(pauses, origin, clock().getTime() + pauseMs)
    return outcome
  }
}

const signatureSeconds = 12 * 3_600
/** For a push service that cannot be reached, or does not answer; and for one that limits without saying for how long. */
const unreachablePauseMs = 15_000
const defaultPauseMs = 30_000
/** Longer waits are cut: a message would never end. */
const maxPauseMs = 3_600_000
const maxRemembered = 1_000

/** Anybody may invent push services: a map of them is bounded. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  if (map.size >= maxRemembered && !map.has(name)) map.clear()
  map.set(name, value)
}

const postOf = (config: Config) => createGuardedPost(settingsOf(config, importsSettings))

/** Whom a push service may write to about misuse (RFC 8292): VAPID_SUBJECT, else SITE_CONTACT, PUBLIC_URL or MAIL_FROM. */
function subjectOf(config: Config): string {
  const { vapidSubject } = settingsOf(config, subscribersSettings)
  if (vapidSubject !== null) return vapidSubject
  if (config.publicUrl.startsWith('https:')) return config.publicUrl
  return `mailto:${/<([^>]+)>/.exec(config.mail.from)?.[1] ?? config.mail.from}`
}

/**
 * Only what the endpoint itself refuses counts against it. A refused signature (401, 403) or size concerns everybody, and must not
 * delete the subscribers.
 */
function outcomeOf(result: PostResult, clock: Clock): PushOutcome & { pauseMs?: number } {
  if (result.kind !== 'answered') {
    const { reason, message: error } = result.error
    if (reason === 'bad_url' || reason === 'private_address') return { outcome: 'refused', error }
    if (result.kind === 'unsent') return { outcome: 'failed', error, pauseMs: unreachablePauseMs }
    return { outcome: 'uncertain', error, ...(reason === 'timeout' && { pauseMs: unreachablePauseMs }) }
  }
  const { status, retryAfter } = result
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  const error = `The push service answered ${status}.`
  if (status === 404 || status === 410) return { outcome: 'gone', error }
  if (status === 429 || (status === 503 && retryAfter !== null)) {
    const waitMs = waitOf(retryAfter, clock)
    return { outcome: 'failed', error, waitMs, pauseMs: waitMs }
  }
  const isOurs = [401, 403, 408, 413, 425].includes(status)
  return { outcome: isOurs || status >= 500 ? 'failed' : 'refused', error }
}

/** Reads Retry-After: seconds, or a date. */
function waitOf(retryAfter: string | null, clock: Clock): number {
  const text = retryAfter?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - clock().getTime()
  return Number.isNaN(ms) ? defaultPauseMs : Math.min(Math.max(ms, 0), maxPauseMs)
}
