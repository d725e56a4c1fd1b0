import type { Text } from '../errors.ts'
import { weightsOf } from './weights.ts'

export type Language = keyof Text
export const languages: readonly Language[] = ['en', 'fr']

/** English unless the client prefers French. */
export function languageOf(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en'
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 }
  for (const [tag, weight] of weightsOf(acceptLanguage)) {
    const language = tag.split('-')[0]
    if (language !== 'en' && language !== 'fr') continue
    // With equal weights the language named first wins.
    if (weight > best.weight) best = { language, weight }
  }
  return best.language
}
