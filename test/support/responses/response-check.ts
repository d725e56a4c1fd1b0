import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../../src/platform/http/openapi/types.ts'

/** A redirect, or a page for people: a refusal as well, where the client asks for `text/html`. */
function isPage({ status, headers }: Seen, documented: object | undefined): boolean {
  const { content } = (documented ?? {}) as { content?: object }
  const isText = headers.get('content-type')?.startsWith('text/html') ?? false
  return (
    (status === 302 && content === undefined) || (isText && (status >= 400 || 'text/html' in (content ?? {})))
  )
}

type Seen = { status: number; headers: Headers; body: unknown }
export type ResponseCheck = (method: string, path: string, answer: Seen) => void

/** Checks responses against the document: operation, status, schema. */
export function createResponseCheck(
  document: OpenApiDocument,
  note: (answer: string) => void = () => {},
): ResponseCheck {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  const templates = Object.keys(document.paths).map((path) => ({
    path,
    // A literal segment matches more closely than a parameter.
    weight: path.split('{').length,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }))
  templates.sort((a, b) => a.weight - b.weight)
  const validators = new Map<string, ValidateFunction>()
  function validatorOf(reference: string): ValidateFunction {
    const validate = validators.get(reference) ?? ajv.compile({ $ref: `api#/${encodeURI(reference)}` })
    validators.set(reference, validate)
    return validate
  }

  /** A 201 says where what it created can be read. */
  function requireLocation(where: string, headers: Headers): void {
    const location = headers.get('location') ?? ''
    const isKnown = templates.some(
      ({ path, pattern }) => pattern.test(location) && document.paths[path]?.get !== undefined,
    )
    if (!isKnown) throw new Error(`${where}: no documented GET at its Location "${location}"`)
  }

  return (method, pathAndQuery, answer) => {
    if (!answer.headers.get('x-request-id')) throw new Error(`${method} ${pathAndQuery}: no X-Request-Id`)
    const [path = ''] = pathAndQuery.split('?')
    const name = method === 'HEAD' ? 'get' : method.toLowerCase()
    const template = templates.find(
      ({ pattern, path: one }) => pattern.test(path) && document.paths[one]?.[name],
    )
    if (template === undefined) return
    note(`${name.toUpperCase()} ${template.path} ${answer.status}`)
    if (answer.status === 304) return
    // Routes that a test adds create nothing.
    if (answer.status === 201 && !template.path.startsWith('/api/v1/test/'))
      requireLocation(`${method} ${template.path}`, answer.headers)
    const operation = document.paths[template.path]?.[name]
    const where = `${method} ${template.path} answered ${answer.status}`
    if (!operation?.responses[answer.status]) throw new Error(`${where}, which the document does not know`)
    if (method === 'HEAD' || isPage(answer, operation.responses[answer.status])) return
    const type = answer.headers.get('content-type') ?? ''
    const { content = {} } = operation.responses[answer.status] as { content?: object }
    // Of files only the type is documented.
    if (/^(text\/csv|image\/|application\/pdf)/.test(type) && (type.split(';')[0] ?? '') in content) return
    if (type.startsWith('text/event-stream')) return
    const { $ref } = operation.responses[answer.status] as { $ref?: string }
    const holder = $ref?.slice(2).split('/') ?? [
      'paths',
      template.path,
      name,
      'responses',
      `${answer.status}`,
    ]
    const pointer = [...holder, 'content', 'application/json', 'schema']
    const reference = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const validate = validatorOf(reference)
    if (!validate(answer.body))
      throw new Error(`${where} outside its schema: ${ajv.errorsText(validate.errors)}`)
  }
}
