import type { TSchema } from 'typebox'

type Reference = { $ref: string }
type Response = {
  description?: string
  headers?: Record<string, Reference>
  content?: Record<string, { schema: TSchema }>
}
export type Parameter = { $ref?: string; schema?: { type?: unknown } }
export type WithHeaders = { parameters?: Parameter[]; responses: Record<string, Response> }

/** What operations share, and refer to. */
export const headerComponents = {
  parameters: {
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one',
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
        'Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice',
      schema: { type: 'string', minLength: 1, maxLength: 200, examples: ['5f0c3b9e-publication'] },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of the answer that the caller has already: 304 when it is still so',
      schema: { type: 'string' },
    },
  },
  headers: {
    ETag: {
      description: 'Tells this answer, or this version of the record, from every other',
      schema: { type: 'string' },
      example: '"3"',
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
      description: 'How to sign in',
      schema: { type: 'string' },
      example: 'Bearer',
    },
  },
} as const

/** Adds the headers that an operation reads and answers with, as they follow from its statuses and its records. */
export function describeHeaders(method: string, operation: WithHeaders, isPublicRead: boolean): void {
  const isPost = method === 'post'
  const { responses } = operation
  const take = (name: keyof typeof headerComponents.parameters) => {
    operation.parameters = [...(operation.parameters ?? []), { $ref: `#/components/parameters/${name}` }]
  }
  if (isPublicRead) {
    take('IfNoneMatch')
    responses['304'] = { description: 'It is still as the caller has it.' }
  }
  if (responses['412']) take('IfMatch')
  if (isPost && (responses['201'] || responses['202'])) take('IdempotencyKey')
  take('AcceptLanguage')
  for (const [status, response] of Object.entries(responses)) {
    const headers = refer({
      'X-Request-Id': 'RequestId',
      ...(((isPublicRead && (status === '200' || status === '304')) || isVersioned(response)) && {
        ETag: 'ETag',
      }),
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

/** One record that carries its version. */
function isVersioned({ content }: Response): boolean {
  const { properties } = (content?.['application/json']?.schema ?? {}) as { properties?: { data?: object } }
  const { properties: fields = {} } = (properties?.data ?? {}) as { properties?: object }
  return 'version' in fields
}
