import { isUuid } from './uuid.ts'

/** Folds a text for comparison: removes case, accents, ligatures and punctuation. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Returns a slug that is valid in a path, leaves room for a suffix and is no id: a path may have either. */
export function slugify(name: string): string {
  const slug = fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 180)
    .replace(/-+$/, '')
  return isUuid(slug) ? `n-${slug}` : slug
}

/**
 * Puts a text on one line: line breaks and control characters become spaces. NUL is kept, because such text
 * is refused later.
 */
export const oneLine = (text: string) => text.replace(/[\s[\p{Cc}--\0]]+/gv, ' ').trim()

/** Normalises a text: composed letters, no unpaired surrogates, no invisible direction marks, no control characters. */
export const tidy = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')

/** Returns the beginning of a text without cutting a surrogate pair. */
export function clip(text: string, length: number): string {
  const cutsPair = (text.codePointAt(length - 1) ?? 0) > 0xffff
  return text.slice(0, cutsPair ? length - 1 : length)
}

/** True if a text has a letter or a digit, so that a search can find something. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** True for letters, spaces, apostrophes and hyphens: no URL, no number, no second line. */
export const isPlainName = (text: string): boolean => /^(?=.*\p{L})[\p{L} '’‐-]{1,60}$/u.test(text)

/** True if a mail program may show a part of the text as a link: `paypa1.com`, `1.2.3.4/login`, `evil。com`, `//x`. */
export const hasLink = (text: string): boolean =>
  /[:/@]|\S[.\u3002\uff0e\uff61]\S/u.test(text.normalize('NFKC'))

/** True if a text has a character that is not a space, a control or a format character. */
export const isVisible = (text: string): boolean => /[^\p{Z}\p{C}\s]/u.test(text)

/** Escapes a text for the content or a quoted attribute of HTML and XML. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** Counts the letters to change, add and drop that make one word of the other. */
export function lettersBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 0; i < one.length; i++) {
    const row = [i + 1]
    for (let j = 0; j < other.length; j++) {
      const changed = (before[j] ?? 0) + (one[i] === other[j] ? 0 : 1)
      row.push(Math.min(changed, (row[j] ?? 0) + 1, (before[j + 1] ?? 0) + 1))
    }
    before = row
  }
  return before[other.length] ?? 0
}
