import type { RouteOptions } from 'fastify'
import Type from 'typebox'
import { type ErrorCode, messageOf, statusOf } from '../errors.ts'
import type { Audience } from './http-server.ts'

/** Adds to a route's responses every error it can answer, from its audience, its schemas and its own list. */
export function describeRefusals(route: RouteOptions, audience: Exclude<Audience, 'open'>): void {
  const codes = new Set<ErrorCode>([...byAudience[audience], ...(route.config?.refusals ?? [])])
  if (route.config?.limit) codes.add('rate_limited')
  if (route.schema?.params) codes.add('not_found')
  if (route.schema?.querystring || route.schema?.body) codes.add('validation_failed')
  if (route.schema?.body) {
    for (const code of bodyCodes) codes.add(code)
  }
  const byStatus = Map.groupBy(codes, statusOf)
  const refusals = [...byStatus].map(([status, list]) => [status, refusal(list)])
  const responses = { ...(route.schema?.response as object), ...Object.fromEntries(refusals) }
  route.schema = { ...route.schema, response: responses }
}

const everywhere: ErrorCode[] = ['internal_error', 'unavailable']
const bodyCodes: ErrorCode[] = ['malformed_request', 'payload_too_large', 'unsupported_media_type']
const byAudience: Record<Exclude<Audience, 'open'>, ErrorCode[]> = {
  public: [...everywhere, 'missing_app_source', 'scope_violation'],
  bearer: [...everywhere, 'unauthenticated', 'scope_violation'],
  mairie: [...everywhere, 'missing_app_source', 'unauthenticated', 'scope_violation'],
  admin: [...everywhere, 'missing_app_source', 'unauthenticated', 'scope_violation', 'admin_required'],
  webhook: everywhere,
}

function refusal(codes: ErrorCode[]) {
  const [first = 'internal_error'] = codes
  return Type.Object(
    {
      error: Type.String({ enum: codes, examples: [first] }),
      message: Type.String({ examples: [messageOf(first).en] }),
      ...(codes.includes('validation_failed') && { details: Details }),
    },
    { description: codes.map((code) => `\`${code}\`: ${messageOf(code).en}`).join('\n\n') },
  )
}

const Details = Type.Array(
  Type.Object({
    field: Type.String({ description: 'Path of the value, such as `ids.3`', examples: ['per_page'] }),
    message: Type.String({ examples: ['must be at least 1'] }),
  }),
)
