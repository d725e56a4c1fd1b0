import { createHmac, timingSafeEqual } from 'node:crypto'
import type Stripe from 'stripe'

/** Maximum age of a signature, and maximum amount by which its clock may be ahead. */
const toleranceS = 300

/**
 * Checks that one of the secrets signed these exact bytes recently. Tries all secrets, so that timing reveals
 * nothing.
 */
export async function isSigned(
  body: Buffer,
  header: string,
  secrets: readonly string[],
  now: Date,
): Promise<boolean> {
  const signedAt = readTime(header)
  if (signedAt === null || signedAt - now.getTime() / 1_000 > toleranceS) return false
  if (body.length === 0) return isEmptySigned(header, signedAt, secrets, now)
  const { signature } = await loadWebhooks()
  if (signature === null) throw new Error('the package checks no signatures')
  const results = secrets.map((secret) => {
    try {
      return signature.verifyHeader(
        body.toString('latin1'),
        header,
        secret,
        toleranceS,
        bytewise,
        now.getTime(),
      )
    } catch {
      return false
    }
  })
  return results.includes(true)
}

/** Checks the signature of an empty body, which the package refuses to check. */
function isEmptySigned(header: string, signedAt: number, secrets: readonly string[], now: Date): boolean {
  if (now.getTime() / 1_000 - signedAt > toleranceS) return false
  const given = header
    .split(',')
    .flatMap((item) => (item.startsWith('v1=') ? [Buffer.from(item.slice(3))] : []))
  const results = secrets.flatMap((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(`${signedAt}.`).digest('hex'))
    return given.map((one) => one.length === expected.length && timingSafeEqual(one, expected))
  })
  return results.includes(true)
}

/** Signs a body with the provider's library, for samples and tests. */
export async function sign(body: string, secret: string, now = new Date()): Promise<string> {
  const webhooks = await loadWebhooks()
  const timestamp = Math.floor(now.getTime() / 1_000)
  return webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
}

/** Parses the timestamp strictly, because the package accepts `t=12x` as 12. Null if malformed. */
function readTime(header: string): number | null {
  const items = header.split(',')
  const times = items.filter((item) => item.startsWith('t='))
  if (times.length !== 1 || !items.every((item) => /^[a-z]\w*=\w+$/.test(item))) return null
  const [, seconds] = /^t=([1-9]\d{0,11})$/.exec(times[0] ?? '') ?? []
  return seconds === undefined ? null : Number(seconds)
}

let webhooks: Promise<Stripe.Webhooks> | undefined
/** Large and rarely needed, so loaded with the first delivery. */
function loadWebhooks(): Promise<Stripe.Webhooks> {
  webhooks ??= import('stripe').then((stripe) => stripe.default.webhooks)
  return webhooks
}

/**
 * The package decodes the body as UTF-8, so that different invalid bytes look equal. In Latin-1 each byte is
 * one character.
 */
const bytewise: Stripe.CryptoProvider = {
  computeHMACSignature: (content, secret) =>
    createHmac('sha256', secret).update(content, 'latin1').digest('hex'),
  computeHMACSignatureAsync: () => Promise.reject(new Error('not asked for')),
  computeSHA256Async: () => Promise.reject(new Error('not asked for')),
}
