import type { Problem } from '../errors.ts'
import { isVisible, oneLine, tidy } from './text.ts'

/** Cleans a text for storage: plain text without control characters. Text that looks like HTML stays text. */
export const cleanText = (text: string) => tidy(text).replaceAll(/\r\n?/g, '\n').trim()

export const cleanLine = (line: string) => oneLine(tidy(line))

/** Cleans a line; null if nothing of it is visible. */
export function lineOrNull(given: string | null | undefined): string | null {
  const line = cleanLine(given ?? '')
  return isVisible(line) ? line : null
}

/**
 * Validates a cleaned text: composing turns some letters into several, so that a text may exceed its limit again.
 * `shown`: the text without markup.
 */
export function textProblems(field: string, text: string, max: number, shown = text): Problem[] {
  if (!isVisible(shown)) return [{ field, message: { en: 'must not be empty', fr: 'ne doit pas être vide' } }]
  // Counts code points, like the database.
  if (text.length > max && [...text].length > max) return [{ field, message: tooLong(max) }]
  return []
}

export const tooLong = (max: number) => ({
  en: `must have at most ${max} characters`,
  fr: `doit avoir au plus ${max} caractères`,
})
