import type { OpenApiDocument } from '../../src/platform/http/openapi/types.ts'

type Schema = { properties?: object; required?: string[]; allOf?: Schema[] }

/** Returns the document of an app with each reference replaced by what it names, for tests that read parameters and schemas. */
export function dereferenced({ server }: { server: { swagger(): unknown } }): OpenApiDocument {
  const document = server.swagger() as OpenApiDocument
  const resolve = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map(resolve)
    const { $ref, ...rest } = node as { $ref?: string }
    if (typeof $ref === 'string') {
      const target = $ref.slice(2).split('/')
      return resolve(target.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document))
    }
    const copy: Schema = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolve(value)]))
    return copy.allOf === undefined ? copy : merged(copy)
  }
  return resolve(document) as OpenApiDocument
}

/** Joins the fields of a record with those of the records it extends. */
function merged({ allOf = [], ...own }: Schema): Schema {
  const parts = [...allOf, own]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}
