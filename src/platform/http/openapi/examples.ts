type Schema = {
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  type?: string | string[]
}

/** Builds an example value for a schema from the examples of its parts. */
export function exampleOf(schema: object): unknown {
  const { examples, properties, items, type, anyOf, enum: values, ...rest } = schema as Schema
  if (examples !== undefined) return examples[0]
  if (rest.const !== undefined) return rest.const
  if (rest.default !== undefined) return rest.default
  if (values !== undefined) return values[0]
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0])
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]))
  }
  if (items !== undefined) return [exampleOf(items)]
  if (Array.isArray(type) && type.includes('null')) return null
  return { boolean: true, integer: 1, number: 1 }[String(type)] ?? 'text'
}
