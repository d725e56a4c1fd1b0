import type { Problem, Text } from '../../platform/errors.ts'
import { isVisible, oneLine, tidy } from '../../platform/formats/text.ts'
import { maxBody } from './schema.ts'

/** Cleans a text for storage: plain text without control characters. Text that looks like HTML stays text. */
export const cleanBody = (body: string) => tidy(body).replaceAll(/\r\n?/g, '\n').trim()
export const cleanLine = (line: string) => oneLine(tidy(line))

/** Validates cleaned texts. */
export function problemsOf(texts: Record<string, string | null>): Problem[] {
  return Object.entries(texts).flatMap(([field, text]) => {
    if (text === null) return []
    if (!isVisible(text)) return [{ field, message: empty }]
    // Composing turns some letters into several: the text may exceed the limit again.
    return text.length > maxBody && [...text].length > maxBody ? [{ field, message: long }] : []
  })
}

const empty: Text = { en: 'must not be empty', fr: 'ne doit pas être vide' }
const long: Text = {
  en: `must have at most ${maxBody} characters`,
  fr: `doit avoir au plus ${maxBody} caractères`,
}
