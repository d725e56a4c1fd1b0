import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'

/** How old a signature may be, and how far ahead its clock. */
const toleranceS = 300

/**
 * Whether one of the secrets has signed these very bytes, of late. Each secret is tried, the right one or not, so that
 * the time it takes tells nothing.
 */
export async function isSigned(
  body: Buffer,
  header: string,
  secrets: readonly string[],
  now: Date,
): Promise<boolean> {
  const signedAt = readTime(header)
  if (signedAt === null || signedAt - now.getTime() / 1_000 > toleranceS) return false
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

/** What the provider's client signs with, for samples and tests. */
export async function sign(body: string, secret: string, now = new Date()): Promise<string> {
  const webhooks = await loadWebhooks()
  const timestamp = Math.floor(now.getTime() / 1_000)
  return webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
}

/**
 * The package takes a header as it can: `t=12x` is 12 to it. Here one signature has one way to be written. Null: it is
 * not written so.
 */
function readTime(header: string): number | null {
  const items = header.split(',')
  const times = items.filter((item) => item.startsWith('t='))
  if (times.length !== 1 || !items.every((item) => /^[a-z]\w*=\w+$/.test(item))) return null
  const [, seconds] = /^t=([1-9]\d{0,11})$/.exec(times[0] ?? '') ?? []
  return seconds === undefined ? null : Number(seconds)
}

/** Large, and needed by few processes: loaded with the first delivery. */
const loadWebhooks = async (): Promise<Stripe.Webhooks> => (await import('stripe')).default.webhooks

/**
 * The package would read the body as UTF-8, and take whatever bytes are no UTF-8 for one another. As Latin-1 each byte is
 * a character of its own.
 */
const bytewise: Stripe.CryptoProvider = {
  computeHMACSignature: (content, secret) =>
    createHmac('sha256', secret).update(content, 'latin1').digest('hex'),
  computeHMACSignatureAsync: () => Promise.reject(new Error('not asked for')),
  computeSHA256Async: () => Promise.reject(new Error('not asked for')),
}
