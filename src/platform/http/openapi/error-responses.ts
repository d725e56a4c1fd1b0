import type { RouteOptions } from 'fastify'
import Type from 'typebox'
import { servesEnrolment } from '../../access/authenticate.ts'
import type { Errors } from '../../errors.ts'
import { creates, isRead } from '../../formats/http-methods.ts'
import type { Audience } from '../http-server.ts'

/** Adds to a route's responses every error it can return, from its audience, its schemas and its own list. */
export function errorResponses(errors: Errors) {
  return (route: RouteOptions, audience: Exclude<Audience, 'open'>): void => {
    const byStatus = Map.groupBy(codesOf(route, audience), (code) => {
      const error = errors[code]
      if (error === undefined) throw new Error(`${route.url} refuses with ${code}, which no module explains.`)
      return error.status
    })
    const errorsByStatus = [...byStatus].map(([status, codes]) => [status, responseSchema(codes, errors)])
    const responses = { ...(route.schema?.response as object), ...Object.fromEntries(errorsByStatus) }
    route.schema = { ...route.schema, response: responses }
  }
}

function codesOf(route: RouteOptions, audience: Exclude<Audience, 'open'>): Set<string> {
  const codes = new Set([...byAudience[audience], ...(route.config?.refusals ?? [])])
  if (route.config?.limit) codes.add('rate_limited')
  if (route.config?.confirms) codes.add('confirmation_required')
  const isSignedIn = audience === 'bearer' || audience === 'mairie' || audience === 'admin'
  if (isSignedIn && !servesEnrolment(route.config?.scope?.rules)) codes.add('enrolment_required')
  if (audience === 'public' && !isRead(String(route.method))) codes.add('key_refused')
  // Returned when another site may have used the session.
  if (audience !== 'webhook' && !isRead(String(route.method))) codes.add('forbidden')
  // A retry may arrive while the first request is still running.
  if (creates(String(route.method), route.schema?.response as object)) codes.add('conflict')
  if (route.schema?.params) codes.add('not_found')
  if (route.schema?.querystring || route.schema?.body) codes.add('validation_failed')
  // A webhook accepts any signed body.
  if (route.schema?.body && audience !== 'webhook') {
    for (const code of bodyCodes) codes.add(code)
  }
  return codes
}

const everywhere = ['internal_error', 'unavailable']
const bodyCodes = ['malformed_request', 'payload_too_large', 'unsupported_media_type']
const byAudience: Record<Exclude<Audience, 'open'>, string[]> = {
  public: [...everywhere, 'missing_app_source', 'scope_violation'],
  'sign-in': [...everywhere, 'missing_app_source', 'scope_violation'],
  navigation: everywhere,
  page: everywhere,
  bearer: [...everywhere, 'key_refused', 'unauthenticated', 'scope_violation'],
  mairie: [...everywhere, 'key_refused', 'missing_app_source', 'unauthenticated', 'scope_violation'],
  admin: [
    ...everywhere,
    'key_refused',
    'missing_app_source',
    'unauthenticated',
    'scope_violation',
    'admin_required',
  ],
  webhook: everywhere,
}

/** Key that lists the codes in an error response's schema, for the document only. */
export const codesMark = 'x-codes'

function responseSchema(codes: string[], errors: Errors) {
  const texts = codes.map((code) => errors[code]?.en ?? '')
  return Type.Object(
    {
      error: Type.String({ enum: codes, examples: [codes[0]] }),
      message: Type.String({ examples: [texts[0]] }),
      ...(codes.includes('validation_failed') && { details: Type.Array(Type.Object(detail)) }),
    },
    {
      description: codes.map((code, index) => `\`${code}\`: ${texts[index]}`).join('\n\n'),
      [codesMark]: codes,
    },
  )
}

const detail = {
  field: Type.String({ description: 'Path of the value, such as `ids.3`', examples: ['per_page'] }),
  message: Type.String({ examples: ['must be at least 1'] }),
}

/** The schema of every error response. */
export const errorSchemas = {
  Error: {
    type: 'object',
    required: ['error', 'message'],
    properties: {
      error: { type: 'string', description: 'Stable, whatever the language', examples: ['not_found'] },
      message: { type: 'string', description: 'For people; French with `Accept-Language: fr`' },
    },
  },
  ValidationError: {
    type: 'object',
    required: ['error', 'message', 'details'],
    properties: {
      error: { const: 'validation_failed' },
      message: { type: 'string' },
      details: { type: 'array', items: Type.Object(detail) },
    },
  },
}
