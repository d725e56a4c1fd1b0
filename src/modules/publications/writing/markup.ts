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
  for (const [, closes, written = ''] of html.matchAll(
    /<(\/?)([a-z][a-z0-9-]*)(?::[a-z]+)?(?=[\s/>])[^<>]*>/gi,
  )) {
    tags += 1
    if (tags > maxTags) return tooManyTags
    const name = written.toLowerCase()
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
