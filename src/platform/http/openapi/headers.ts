import { creates } from '../../formats/http-methods.ts'
import type { Operation, Response } from './types.ts'

/** Marks an operation that accepts `Idempotency-Key` but creates nothing. `describeHeaders` removes it. */
export const repeatableMark = 'x-repeatable'

/** Components that operations share by reference. */
export const headerComponents = {
  parameters: {
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'The version that the caller has seen, in double quotes, as in its `ETag` (a weak `W/"3"` means the same): 412 when there is a newer one',
      schema: { type: 'string', examples: ['"3"'] },
    },
    AcceptLanguage: {
      name: 'Accept-Language',
      in: 'header',
      description: 'The language of error messages: `fr`, else English',
      schema: { type: 'string', examples: ['fr'] },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same response, and the change happens once',
      schema: { type: 'string', minLength: 1, maxLength: 200, examples: ['5f0c3b9e-publication'] },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of the response that the caller already has: 304 if it is unchanged',
      schema: { type: 'string' },
    },
  },
  headers: {
    ETag: {
      description: 'Identifies this response, or this version of the record',
      schema: { type: 'string' },
      example: '"3"',
    },
    Location: {
      description: 'Path of the record that was created',
      schema: { type: 'string', format: 'uri-reference' },
      example: '/api/v1/publications/0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e',
    },
    RequestId: {
      description: 'Names this request, also in the logs of the service',
      schema: { type: 'string', format: 'uuid' },
      example: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e',
    },
    RetryAfter: {
      description: 'After how many seconds to try again',
      schema: { type: 'integer' },
      example: 5,
    },
    WWWAuthenticate: {
      description:
        'How to sign in; with `error="account_disabled"` the token is good and its account is disabled',
      schema: { type: 'string' },
      example: 'Bearer',
    },
  },
} as const

/** Adds the request and response headers that follow from an operation's statuses and records. */
export function describeHeaders(method: string, operation: Operation, isPublicRead: boolean): void {
  const { responses } = operation
  const take = (name: keyof typeof headerComponents.parameters) => {
    operation.parameters = [...(operation.parameters ?? []), { $ref: `#/components/parameters/${name}` }]
  }
  if (isPublicRead) {
    take('IfNoneMatch')
    responses['304'] = { description: 'Not modified.' }
  }
  if (responses['412']) take('IfMatch')
  if (creates(method.toUpperCase(), responses) || operation[repeatableMark]) take('IdempotencyKey')
  delete operation[repeatableMark]
  take('AcceptLanguage')
  for (const [status, response] of Object.entries(responses)) {
    const headers = refer({
      'X-Request-Id': 'RequestId',
      ...(((isPublicRead && (status === '200' || status === '304')) || isVersioned(response)) && {
        ETag: 'ETag',
      }),
      ...(status === '201' && { Location: 'Location' }),
      ...(status === '401' && { 'WWW-Authenticate': 'WWWAuthenticate' }),
      ...((status === '429' || status === '503') && { 'Retry-After': 'RetryAfter' }),
    })
    response.headers = headers
  }
}

const refer = (names: Record<string, keyof typeof headerComponents.headers>) =>
  Object.fromEntries(
    Object.entries(names).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  )

/** True for one record that carries its version. */
function isVersioned({ content }: Response): boolean {
  const { properties } = (content?.['application/json']?.schema ?? {}) as { properties?: { data?: object } }
  const { properties: fields = {} } = (properties?.data ?? {}) as { properties?: object }
  return 'version' in fields
}
