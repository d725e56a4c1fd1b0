import { type Config, settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { createGuardedPost, type GuardedPost, type PostResult } from '../../../platform/fetch/guarded-post.ts'
import { watchTransport } from '../../../platform/mail/transports.ts'
import type { Deps } from '../../../platform/module.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { importsSettings } from '../../imports/settings.ts'
import type { BrowserKeys, Contents } from '../addresses.ts'
import { listPushKeys, type PushKeys } from '../push-keys.ts'
import { isPushService, subscribersSettings } from '../settings.ts'
import type { Notice } from './broadcast.ts'
import type { Outcome } from './deliveries.ts'
import { type Answer, createPushService, maxWaitMs, type PushService } from './push-services.ts'

/**
 * What came of a message to a browser. `waitMs`: what its push service asked for. `isUnreached`: its push service did not answer, or
 * failed.
 */
export type PushOutcome = { outcome: Outcome; waitMs?: number; isUnreached?: true; error?: string }
/** `content` is what the worker of the site reads. A later message with the same tag replaces it, also at the push service. */
export type PushMessage = Pick<Notice, 'tag' | 'urgency' | 'ttlSeconds'> & { content: object }
export type PushSender = (to: Contents, message: PushMessage) => Promise<PushOutcome>

type Tools = { db: Database; config: Config; clock: Clock; post?: GuardedPost; patienceMs?: number }

/**
 * Creates the sender of messages to browsers: encrypts each for its browser (RFC 8291), signs it for its push service (RFC 8292)
 * and posts it by the rules for untrusted addresses. Each push service waits on its own (`push-services.ts`).
 */
export function createPushSender({
  db,
  config,
  clock,
  post = postOf(config),
  patienceMs,
}: Tools): PushSender {
  const subject = subjectOf(config)
  const { pushServices } = settingsOf(config, subscribersSettings)
  const services = new Map<string, PushService>()
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

  async function requestTo(origin: string, browser: BrowserKeys, message: PushMessage) {
    const keys = await keysOf(browser.serverKey)
    if (keys === undefined) throw new Error('SESSION_KEY does not decrypt the push keys')
    const { encrypt } = (await import('web-push')).default
    const { content, tag, urgency, ttlSeconds } = message
    return {
      body: encrypt(browser.p256dh, browser.auth, JSON.stringify(content), 'aes128gcm').cipherText,
      headers: {
        authorization: await authorization(origin, keys),
        ...{ ttl: `${ttlSeconds}`, urgency, topic: tag },
        ...{ 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' },
      },
    }
  }

  function serviceOf(origin: string): PushService {
    const known = services.get(origin)
    if (known !== undefined) return known
    const made = createPushService(clock, patienceMs)
    remember(services, origin, made)
    return made
  }

  return async ({ channel, address, push }, message) => {
    if (channel !== 'push' || push === undefined) throw new Error('This subscriber has no browser.')
    const url = new URL(address)
    if (!isPushService(url, pushServices))
      return { outcome: 'refused', error: `${url.host} is not one of PUSH_SERVICES` }
    const service = serviceOf(url.origin)
    const waitMs = await service.enter()
    if (waitMs > 0) return { outcome: 'postponed', waitMs }
    let answer: Answer = 'unasked'
    try {
      const request = await requestTo(url.origin, push, message)
      const result = await post(address, request)
      answer = answerOf(result, clock)
      return outcomeOf(result, answer)
    } catch (error) {
      return { outcome: 'failed', error: (error as Error).message }
    } finally {
      service.leave(answer)
    }
  }
}

/**
 * Notes how pushes get through. A browser that is gone, and an endpoint that its service refuses, say nothing of the others.
 */
export function pushNoter(tools: Pick<Deps, 'db' | 'log'>) {
  const note = watchTransport(tools, 'push')
  return (pushes: readonly Pick<PushOutcome, 'outcome' | 'error'>[]) =>
    note(
      pushes.flatMap(({ outcome, error = 'The push service did not answer.' }) => {
        if (outcome === 'sent') return [null]
        return outcome === 'failed' || outcome === 'uncertain' ? [error] : []
      }),
    )
}

const signatureSeconds = 12 * 3_600
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

/** What the answer says of the push service: how long it asks to wait, if it does. */
function answerOf(result: PostResult, clock: Clock): Answer {
  if (result.kind !== 'answered') {
    const { reason } = result.error
    return reason === 'bad_url' || reason === 'private_address' ? 'done' : 'none'
  }
  const { status, retryAfter } = result
  if (status !== 429 && (status !== 503 || retryAfter === null)) return 'done'
  return { waitMs: waitOf(retryAfter, clock) }
}

/**
 * Only what the endpoint itself refuses counts against it. A refused signature (401, 403) or size concerns everybody, and must not
 * delete the subscribers.
 */
function outcomeOf(result: PostResult, answer: Answer): PushOutcome {
  if (result.kind !== 'answered') {
    const { message: error } = result.error
    if (answer === 'done') return { outcome: 'refused', error }
    return { outcome: result.kind === 'unsent' ? 'failed' : 'uncertain', error, isUnreached: true }
  }
  const { status } = result
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  const error = `The push service answered ${status}.`
  if (status === 404 || status === 410) return { outcome: 'gone', error }
  if (typeof answer === 'object') return { outcome: 'failed', error, waitMs: answer.waitMs }
  if (status >= 500) return { outcome: 'failed', error, isUnreached: true }
  return { outcome: [401, 403, 408, 413, 425].includes(status) ? 'failed' : 'refused', error }
}

/** Reads Retry-After: seconds, or a date. Longer waits than an hour are cut: a message would never end. */
function waitOf(retryAfter: string | null, clock: Clock): number {
  const text = retryAfter?.trim() ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - clock().getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), maxWaitMs)
}
