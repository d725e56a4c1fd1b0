/** Responses that several requests share, with their text once the first of them has it. */
const texts = new WeakMap<object, string | null>()

/** Marks a response that several requests of one route share: it is serialized once. Nobody may change it afterwards. */
export function serializedOnce<Response extends object>(response: Response): Response {
  texts.set(response, null)
  return response
}

/** Serializes a response, or returns the text that it already has. */
export function textOf(response: unknown, serialize: (response: unknown) => string): string {
  const known = typeof response === 'object' && response !== null ? texts.get(response) : undefined
  if (typeof known === 'string') return known
  const text = serialize(response)
  if (known === null) texts.set(response as object, text)
  return text
}
