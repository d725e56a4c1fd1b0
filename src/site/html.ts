import { escapeHtml } from '../platform/formats/text.ts'

const marked = Symbol('markup')
/** Markup that is safe to send. A text becomes markup only through `html`, which escapes it. */
export type Markup = { readonly [marked]: string }

type Part = Markup | string | number | null | undefined | false | readonly Part[]

/** Builds markup: escapes texts, inserts markup as it is, joins lists, and leaves out null, undefined and false. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Markup =>
  trusted(strings.map((string, at) => string + textOf(parts[at])).join(''))

/**
 * Marks a stored text that was sanitised when it was written. Its headings begin at h2 and leave out no level, whatever
 * the author chose.
 */
export function sanitisedText(text: string): Markup {
  const open: number[] = []
  let level = 1
  return trusted(
    text.replace(/<(\/?)h([2-6])>/g, (_tag, slash: string, digit: string) => {
      if (slash) return `</h${level}>`
      const written = Number(digit)
      while ((open.at(-1) ?? 0) >= written) open.pop()
      open.push(written)
      level = open.length + 1
      return `<h${level}>`
    }),
  )
}

/** Adds parameters to the links of markup with such paths, and to its searches. What has the first one already stays. */
export function withParameters(markup: Markup, values: Record<string, string>, paths: RegExp): Markup {
  const parameters = escapeHtml(new URLSearchParams(values).toString())
  const [first = ''] = Object.keys(values)
  const inputs = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return trusted(
    textOf(markup).replace(
      /(<(?:a|form) [^>]*?(?:href|action)=")([^"?#]*)([^"#]*)([^>]*>)/g,
      (whole, start: string, path: string, search: string, end: string) => {
        if (!paths.test(path) || search.includes(`${first}=`)) return whole
        if (start.startsWith('<a '))
          return `${start}${path}${search && `${search}&amp;`}${search ? '' : '?'}${parameters}${end}`
        if (!end.includes(' role="search"')) return whole
        return `${whole}${textOf(inputs)}`
      },
    ),
  )
}

/** JSON for a script element: no text can end the element or begin a comment in it. */
export const json = (value: object): Markup =>
  trusted(
    JSON.stringify(value)
      .replaceAll('<', '\\u003c')
      .replaceAll('\u2028', '\\u2028')
      .replaceAll('\u2029', '\\u2029'),
  )

export const textOf = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return marked in part ? part[marked] : part.map(textOf).join('')
}

const trusted = (text: string): Markup => ({ [marked]: text })
