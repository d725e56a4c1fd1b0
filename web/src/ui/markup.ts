import { addressOf, splitAtAddresses } from './addresses.ts'

/** Maps elements to the ones that the service keeps; it removes all others. */
const inline: Readonly<Record<string, string>> = { B: 'strong', STRONG: 'strong', I: 'em', EM: 'em', U: 'u' }
const headings: Readonly<Record<string, string>> = {
  H1: 'h2',
  H2: 'h2',
  H3: 'h3',
  H4: 'h4',
  H5: 'h4',
  H6: 'h4',
}
const lists: Readonly<Record<string, string>> = { UL: 'ul', OL: 'ol' }
const silent = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'NOSCRIPT', 'TITLE'])
const breaks = new Set(['P', 'DIV', 'BLOCKQUOTE', 'ADDRESS', 'ARTICLE', 'SECTION', 'TABLE', 'TR', 'TD'])

/** Parses stored or pasted HTML. Scripts do not run and nothing is loaded. */
export const parse = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

/** Whether a text contains HTML; a single entity such as `&amp;` counts. */
export const isMarkedUp = (text: string): boolean => /[<&]/.test(text)

/** Converts a stored text to HTML blocks for the editor. Plain text keeps its line breaks. */
export function asBlocks(text: string): string {
  if (text.includes('<')) return written(parse(text))
  const words = isMarkedUp(text) ? (parse(text).textContent ?? '') : text
  return blocksOf(words)
}

/** Converts plain text to HTML: an empty line starts a paragraph, a single line break becomes `<br>`. */
export const blocksOf = (words: string): string =>
  words
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${paragraph.split('\n').map(escaped).join('<br>')}</p>`)
    .join('')

/** Returns a link to a typed address, or the text if it is none. */
export function linkOf(typed: string): string {
  const href = addressOf(typed)
  return href === null ? escaped(typed) : `<a href="${escaped(href)}">${escaped(typed)}</a>`
}

/** Serialises a node as the service stores it: a flat sequence of blocks with allowed elements only. */
export function written(root: Node): string {
  const blocks: string[] = []
  let line = ''
  const endLine = () => {
    const text = trimmed(line)
    if (text !== '') blocks.push(`<p>${text}</p>`)
    line = ''
  }
  const add = (block: string) => {
    endLine()
    if (block !== '') blocks.push(block)
  }
  const walk = (parent: Node) => {
    for (const node of parent.childNodes) {
      const name = node.nodeName
      if (silent.has(name)) continue
      const heading = headings[name]
      if (heading !== undefined) add(wrapped(heading, trimmed(lineOf(node))))
      else if (name in lists) add(listOf(node))
      else if (breaks.has(name)) {
        endLine()
        walk(node)
        endLine()
      } else if (name in inline || name === 'A' || !hasBlocks(node)) line += inlineOf(node)
      else walk(node)
    }
  }
  walk(root)
  endLine()
  return blocks.join('')
}

const hasBlocks = (node: Node): boolean =>
  Array.from(node.childNodes).some(
    (child) =>
      child.nodeName in headings || child.nodeName in lists || breaks.has(child.nodeName) || hasBlocks(child),
  )

function listOf(list: Node): string {
  const items = Array.from(list.childNodes).flatMap((item) => {
    // Keeps a list that is a direct child of a list.
    if (item.nodeName in lists) return [listOf(item)]
    const nested = Array.from(item.childNodes).filter(({ nodeName }) => nodeName in lists)
    const text = trimmed(
      Array.from(item.childNodes)
        .filter((child) => !nested.includes(child))
        .map(inlineOf)
        .join(''),
    )
    const inner = text + nested.map(listOf).join('')
    return inner === '' ? [] : [`<li>${inner}</li>`]
  })
  return wrapped(lists[list.nodeName] ?? 'ul', items.join(''))
}

const lineOf = (node: Node): string => Array.from(node.childNodes, inlineOf).join('')

function inlineOf(node: Node): string {
  // Collapses white space as a browser does; non-breaking spaces stay.
  if (node instanceof Text) return textOf(node)
  if (silent.has(node.nodeName)) return ''
  if (node.nodeName === 'BR') return '<br>'
  const inner = lineOf(node)
  if (node instanceof HTMLAnchorElement) {
    const given = node.getAttribute('href') ?? ''
    const href = /^https?:/i.test(given) ? addressOf(given) : null
    return href === null || inner === '' ? inner : `<a href="${escaped(href)}">${inner}</a>`
  }
  const name = inline[node.nodeName]
  if (name !== undefined) return wrapped(name, inner)
  return breaks.has(node.nodeName) && inner !== '' ? `${inner}<br>` : inner
}

/** Serialises a text; addresses in it become links. */
function textOf(node: Text): string {
  const text = node.data.replaceAll(/[ \t\r\n]+/g, ' ')
  if (node.parentElement?.closest('a')) return escaped(text)
  return splitAtAddresses(text)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : linkOf(part)))
    .join('')
}

const wrapped = (name: string, inner: string): string => (inner === '' ? '' : `<${name}>${inner}</${name}>`)

/** Removes spaces and line breaks at both ends: editors add empty lines there. */
const trimmed = (html: string): string => html.replaceAll(/^(?:\s|<br>)+|(?:\s|<br>)+$/g, '')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
