import type { Text } from '../../../platform/errors.ts'

const maxTags = 2_000
const maxNesting = 50

/**
 * Returns why markup is too costly to parse; one pass before any parser runs. An unclosed tag counts as open
 * until its parent closes; tags such as `<p>` close an open one of the same name.
 */
export function tooMuchMarkup(html: string): Text | null {
  const open: string[] = []
  let tags = 0
  for (const { kind, name, closes } of piecesOf(html)) {
    if (kind !== 'tag') continue
    tags += 1
    if (tags > maxTags) return tooManyTags
    if (closes) {
      const at = open.lastIndexOf(name)
      if (at >= 0) open.length = at
    } else if (!withoutEnd.has(name) && !(endsItself.has(name) && open.at(-1) === name)) {
      open.push(name)
      if (open.length > maxNesting) return tooDeep
    }
  }
  return null
}

const withoutEnd = new Set([
  'br',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'wbr',
  'col',
  'source',
  'area',
  'base',
])
const endsItself = new Set(['p', 'li', 'dt', 'dd', 'tr', 'td', 'th', 'option'])

const tooManyTags = {
  en: `must have at most ${maxTags} tags`,
  fr: `doit avoir au plus ${maxTags} balises`,
}
const tooDeep = {
  en: `must not nest tags more than ${maxNesting} deep`,
  fr: `ne doit pas imbriquer de balises sur plus de ${maxNesting} niveaux`,
}

/** Elements that are removed with what they contain. */
export const nonTextTags = [
  'script',
  'style',
  'textarea',
  'option',
  'noscript',
  'template',
  'title',
  'iframe',
  'svg',
  'math',
]

/** A tag, a comment or declaration, or the text between them. Only a tag has a name, without its namespace's part. */
export type Piece = { kind: 'tag' | 'other' | 'text'; source: string; name: string; closes: boolean }

/**
 * Splits HTML as its parser does: a `<` or `>` within the quotes of an attribute belongs to the tag. A `<` that
 * begins nothing is text. Takes linear time, because it never returns behind the place where a tag broke off.
 */
export function* piecesOf(html: string): Generator<Piece> {
  const last = { '"': html.lastIndexOf('"'), "'": html.lastIndexOf("'"), '-->': html.lastIndexOf('-->') }
  let textFrom = 0
  let at = html.indexOf('<')
  while (at >= 0) {
    const head = matchAt(tagHead, html, at)
    const { end, isWhole } =
      head === null ? endOfOther(html, at, last) : endOfTag(html, at + head[0].length, last)
    if (isWhole) {
      if (at > textFrom) yield textPiece(html.slice(textFrom, at))
      const [, slash = '', name = ''] = head ?? []
      const source = html.slice(at, end)
      yield { kind: head === null ? 'other' : 'tag', source, name: name.toLowerCase(), closes: slash !== '' }
      textFrom = end
    }
    at = html.indexOf('<', end)
  }
  if (textFrom < html.length) yield textPiece(html.slice(textFrom))
}

const textPiece = (source: string): Piece => ({ kind: 'text', source, name: '', closes: false })

/** `<!doctype html>`, and what Word writes: `<![if gte mso 9]>`, `<?xml:namespace prefix = o />`. */
const declaration = /<(?:!doctype|!\[(?!cdata)|\?[a-z])[^<>]*>/iy
const tagHead = /<(\/?)([a-z][a-z0-9-]*)(?::[a-z]+)?(?=[\s/>])/iy
const unquoted = /[^<>=]*(?:=\s*)?/y

function matchAt(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(html)
}

/** Where each of these occurs last: a search for another one would read to the end each time. */
type Last = Record<'"' | "'" | '-->', number>
type End = { end: number; isWhole: boolean }

/** Returns where a comment or declaration ends; a comment that never ends is only its beginning. */
function endOfOther(html: string, at: number, last: Last): End {
  if (html.startsWith('<!--', at)) {
    const hasEnd = last['-->'] >= at + 4
    return { end: hasEnd ? html.indexOf('-->', at + 4) + 3 : at + 4, isWhole: true }
  }
  const [found] = matchAt(declaration, html, at) ?? []
  return { end: at + (found?.length ?? 1), isWhole: found !== undefined }
}

/** Returns where a tag ends, or where it breaks off. */
function endOfTag(html: string, from: number, last: Last): End {
  let at = from
  for (;;) {
    const [skipped = ''] = matchAt(unquoted, html, at) ?? []
    at += skipped.length
    const sign = html[at]
    if (sign === '>') return { end: at + 1, isWhole: true }
    if (sign === '<' || sign === undefined) return { end: at, isWhole: false }
    if (sign !== '"' && sign !== "'") continue
    if (last[sign] <= at) return { end: at, isWhole: false }
    at = html.indexOf(sign, at + 1) + 1
  }
}
