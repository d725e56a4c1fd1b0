import { codesMark } from './error-responses.ts'
import type { Json, Operation, Response } from './types.ts'

type Body = { required?: string[]; properties?: object }

/**
 * Shares equal error responses between operations as components named after their codes. A 422 stays with its route,
 * because its example names a field of that route.
 */
export function shareErrors(operation: Operation, shared: Record<string, Response>): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    const json = response.content?.['application/json']
    const codes = (json?.schema as { [codesMark]?: string[] } | undefined)?.[codesMark]
    if (json === undefined || codes === undefined) continue
    if (codes.includes('validation_failed')) {
      response.content = { 'application/json': { ...validationExample(json, operation), schema: validation } }
      continue
    }
    const name = codes.map(pascalCase).join('Or')
    const { content, ...rest } = response
    shared[name] ??= {
      ...rest,
      content: {
        'application/json': {
          ...json,
          schema: { allOf: [error, { properties: { error: { enum: codes } } }] },
        },
      },
    }
    operation.responses[status] = { $ref: `#/components/responses/${name}` }
  }
}

const error = { $ref: '#/components/schemas/Error' }
const validation = { $ref: '#/components/schemas/ValidationError' }

function validationExample({ example }: Json, operation: Operation) {
  return { example: { ...(example as object), details: [faultOf(operation)] } }
}

/**
 * Picks the input that is most likely to be wrong on this route: its body, its query, its version, or else an unknown
 * parameter.
 */
function faultOf({ parameters = [], requestBody }: Operation) {
  const body = requestBody?.content?.['application/json']?.schema as Body | undefined
  const { required = [], properties = {} } = body ?? {}
  const [field] = [...required, ...Object.keys(properties)]
  if (field !== undefined)
    return { field, message: required.includes(field) ? 'is required' : 'is not valid' }
  if (parameters.some(({ name }) => name === 'page')) return { field: 'page', message: 'must be at least 1' }
  const [query] = parameters.filter((each) => each.in === 'query')
  if (query?.name !== undefined) return { field: query.name, message: 'is not valid' }
  const isVersioned = parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch'))
  if (isVersioned) return { field: 'If-Match', message: 'must be a version in double quotes, as in "3"' }
  const value = parameters.find((each) => each.in === 'path' && each.schema?.format !== 'uuid')
  if (value?.name !== undefined) return { field: value.name, message: 'is not valid' }
  // The route has no input but its path: only an unknown query parameter can be wrong.
  return { field: 'unknown_parameter', message: 'is not a known field' }
}

const pascalCase = (code: string) =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
