import { codesMark } from './refusals.ts'

type Json = { schema: object; example?: unknown }
type Response = { description?: string; headers?: object; content?: Record<string, Json> }
type Operation = {
  parameters?: object[]
  requestBody?: { content?: Record<string, Json> }
  responses: Record<string, Response>
}

/**
 * Operations that refuse alike share the response: a refusal stands once among the components, under the name of its
 * codes. Only a 422 stays with its route, since its example names a field of that route.
 */
export function shareRefusals(operation: Operation, shared: Record<string, Response>): void {
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
    operation.responses[status] = { $ref: `#/components/responses/${name}` } as Response
  }
}

const error = { $ref: '#/components/schemas/Error' }
const validation = { $ref: '#/components/schemas/ValidationError' }

function validationExample({ example }: Json, { parameters = [], requestBody }: Operation) {
  const body = requestBody?.content?.['application/json']?.schema as { properties?: object } | undefined
  const query = parameters.find((each) => (each as { in?: string }).in === 'query') as
    | { name: string }
    | undefined
  const field = Object.keys(body?.properties ?? {})[0] ?? query?.name ?? 'page'
  return { example: { ...(example as object), details: [{ field, message: 'is not valid' }] } }
}

const pascalCase = (code: string) =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
