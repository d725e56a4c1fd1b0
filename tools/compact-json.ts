/** Writes JSON with whatever fits into a line on one line, so that people can read it. */
export function compactJson(value: unknown, width = 120, indent = ''): string {
  const line = inline(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= width) return line
  const deeper = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => compactJson(item, width, deeper))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}: ${compactJson(item, width, deeper)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => `${deeper}${part}`).join(',\n')}\n${indent}${close}`
}

function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  const parts = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
