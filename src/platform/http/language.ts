import type { Text } from '../errors.ts'

export type Language = keyof Text
export const languages: readonly Language[] = ['en', 'fr']

/** English unless the client prefers French. */
export function languageOf(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en'
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 }
  for (const part of acceptLanguage.split(',').slice(0, 20)) {
    const [tag = '', ...params] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const language = tag.split('-')[0]
    if (language !== 'en' && language !== 'fr') continue
    const quality = params.find((param) => param.startsWith('q='))?.slice(2)
    const weight = quality === undefined ? 1 : Number(quality) || 0
    // With equal weights the language named first wins.
    if (weight > best.weight) best = { language, weight }
  }
  return best.language
}
