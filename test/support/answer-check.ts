import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../src/platform/http/openapi/document.ts'

type Seen = { status: number; headers: Headers; body: unknown }
export type AnswerCheck = (method: string, path: string, answer: Seen) => void

/** Holds answers against the document: its operation, its status, its schema. */
export function createAnswerCheck(
  document: OpenApiDocument,
  note: (answer: string) => void = () => {},
): AnswerCheck {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  const templates = Object.keys(document.paths).map((path) => ({
    path,
    // A literal segment is nearer than a parameter.
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
    const operation = document.paths[template.path]?.[name]
    const where = `${method} ${template.path} answered ${answer.status}`
    if (!operation?.responses[answer.status]) throw new Error(`${where}, which the document does not know`)
    if (method === 'HEAD') return
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
