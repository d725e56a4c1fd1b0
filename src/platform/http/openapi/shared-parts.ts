import { codesMark } from './error-responses.ts'
import type { OpenApiDocument, Operation, Parameter, Response } from './types.ts'

const pascalCase = (code: string) =>
  code.replaceAll(/(?:^|[_-])([A-Za-z])/g, (_match, letter: string) => letter.toUpperCase())

const error = { $ref: '#/components/schemas/Error' }
const validation = { $ref: '#/components/schemas/ValidationError' }
const details = { $ref: '#/components/schemas/ValidationError/properties/details' }

/** Shares equal error responses between operations, as components named after their codes. */
export function shareErrors(operation: Operation, shared: Record<string, Response>): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    const json = response.content?.['application/json']
    const codes = (json?.schema as { [codesMark]?: string[] } | undefined)?.[codesMark]
    if (json === undefined || codes === undefined) continue
    const name = codes.map(pascalCase).join('Or')
    const named = { error: { enum: codes } }
    const schema = !codes.includes('validation_failed')
      ? { allOf: [error, { properties: named }] }
      : codes.length === 1
        ? validation
        : { allOf: [error, { required: ['details'], properties: { ...named, details } }] }
    shared[name] ??= { ...response, content: { 'application/json': { ...json, schema } } }
    operation.responses[status] = { $ref: `#/components/responses/${name}` }
  }
}

/** Shares the most frequent parameter of each name, when several operations have it. */
export function shareParameters(operations: Operation[]): Record<string, Parameter> {
  const uses = new Map<string, { parameter: Parameter; operations: Operation[] }>()
  for (const operation of operations) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.name === undefined) continue
      const key = JSON.stringify(parameter)
      const use = uses.get(key) ?? { parameter, operations: [] }
      uses.set(key, { parameter, operations: [...use.operations, operation] })
    }
  }
  const shared: Record<string, Parameter> = {}
  const byUse = [...uses].sort(([, one], [, other]) => other.operations.length - one.operations.length)
  for (const [key, { parameter, operations: those }] of byUse) {
    const name = pascalCase(parameter.name ?? '')
    if (those.length < 2 || name in shared) continue
    shared[name] = parameter
    for (const operation of those) {
      operation.parameters = (operation.parameters ?? []).map((each) =>
        JSON.stringify(each) === key ? { $ref: `#/components/parameters/${name}` } : each,
      )
    }
  }
  return shared
}

type ObjectSchema = { type?: unknown; properties: Record<string, unknown>; required?: string[] }

/**
 * Writes each record that has all fields of another one as that record and its own fields, so that a reader sees what
 * it adds.
 */
export function extendSchemas(schemas: OpenApiDocument['components']['schemas']): void {
  const records = Object.entries(schemas).filter((entry): entry is [string, ObjectSchema] =>
    isRecord(entry[1]),
  )
  const bySize = records.sort(([, one], [, other]) => sizeOf(other) - sizeOf(one))
  for (const [index, [name, schema]] of bySize.entries()) {
    const [base] = bySize.slice(index + 1).filter(([, other]) => sizeOf(other) > 3 && includes(schema, other))
    if (base === undefined) continue
    const [baseName, { properties: inherited, required: requiredThere = [] }] = base
    const { properties, required = [], ...rest } = schema
    const own = Object.entries(properties).filter(([field]) => !(field in inherited))
    const ownRequired = required.filter((field) => !requiredThere.includes(field))
    schemas[name] = {
      ...rest,
      allOf: [{ $ref: `#/components/schemas/${baseName}` }],
      ...(ownRequired.length > 0 && { required: ownRequired }),
      properties: Object.fromEntries(own),
    }
  }
}

const isRecord = (schema: unknown): schema is ObjectSchema => {
  const { type, properties, ...rest } = schema as Partial<ObjectSchema>
  return type === 'object' && properties !== undefined && !('additionalProperties' in rest)
}

const sizeOf = ({ properties }: ObjectSchema) => Object.keys(properties).length

/** Returns true when `schema` has every field of `other`, and requires what `other` requires. */
function includes(schema: ObjectSchema, other: ObjectSchema): boolean {
  const fields = Object.entries(other.properties)
  return (
    sizeOf(schema) > fields.length &&
    fields.every(([name, field]) => JSON.stringify(schema.properties[name]) === JSON.stringify(field)) &&
    (other.required ?? []).every((name) => schema.required?.includes(name))
  )
}
