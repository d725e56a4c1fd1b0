import type { FastifyRequest } from 'fastify'
import { settingsOf } from '../../../platform/config/config.ts'
import { ApiError, invalid, type Text } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { failureLimit } from '../../../platform/http/rate-limits/failures.ts'
import { readJson } from '../../../platform/http/validation/bodies.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { invalidWebhookSignature } from '../errors.ts'
import { countEvent } from '../metrics.ts'
import { paymentsSettings } from '../settings.ts'
import { recordEvent } from './rules.ts'
import { PaymentEvent, Received } from './schema.ts'
import { isSigned } from './signature.ts'

/**
 * Verifies the signature of the raw bytes before anything else, whatever the content type or encoding. Until
 * then a delivery occupies neither a write slot nor a database connection. Only bad signatures count towards
 * the limit of an address.
 */
export function inboxRoutes(scope: HttpServer, { db, jobs, config, clock }: Deps): void {
  const { signingSecrets } = settingsOf(config, paymentsSettings)
  const countFailure = failureLimit(config.rateLimits.signature ?? 'off')

  function refuse(request: FastifyRequest): never {
    countEvent('refused')
    countFailure(request.ip)
    throw invalidWebhookSignature()
  }

  scope.addHook('onRequest', async (request) => {
    const { headers } = request.raw
    const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
    if (isEmpty) {
      if (!(await isSigned(Buffer.alloc(0), signatureOf(request), signingSecrets, clock()))) refuse(request)
      throw invalid('', unreadable)
    }
    // One parser accepts all content types, even invalid ones, because the header decides nothing.
    delete headers['content-type']
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (!(await isSigned(body, signatureOf(request), signingSecrets, clock()))) refuse(request)
    return readSigned(body)
  })

  scope.post(
    '/webhooks/payment',
    {
      config: {
        refusals: [
          'invalid_webhook_signature',
          'rate_limited',
          'payload_too_large',
          'unsupported_media_type',
          'validation_failed',
        ],
      },
      schema: {
        operationId: 'receivePaymentEvent',
        summary: 'Record an event of the payment provider, once; its effect follows',
        description:
          'Signed in `Payment-Signature` (or the provider’s own `Stripe-Signature`), as `t=<seconds>,v1=<HMAC-SHA256 of "t.body", in hexadecimal>`, of the last five minutes. Whatever is signed is answered 200, known before or not. Only bad signatures are limited.',
        body: PaymentEvent,
        response: { 200: record(Received) },
      },
    },
    async ({ body }) => {
      const outcome = await recordEvent(db, { jobs, clock }, body)
      countEvent(outcome === 'ignored' ? 'received' : outcome)
      if (outcome === 'ignored') countEvent('ignored')
      return { data: { received: true as const } }
    },
  )
}

/** Prefers the neutral header name. A repeated header arrives as one joined, invalid value. */
function signatureOf({ headers }: FastifyRequest): string {
  const header = headers['payment-signature'] ?? headers['stripe-signature'] ?? ''
  return String(header)
}

/** Reports a malformed body as an invalid value, because its signature is right. */
function readSigned(body: Buffer): unknown {
  try {
    return readJson(body)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'malformed_request') throw invalid('', unreadable)
    throw error
  }
}

const unreadable: Text = { en: 'must be a JSON object', fr: 'doit être un objet JSON' }
