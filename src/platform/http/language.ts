import type { Text } from '../errors.ts'

export type Language = keyof Text

/** English unless the caller prefers French. */
export function languageOf(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en'
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 }
  for (const part of acceptLanguage.split(',').slice(0, 20)) {
    const [tag = '', ...params] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const language = tag.split('-')[0]
    if (language !== 'en' && language !== 'fr') continue
    const quality = params.find((param) => param.startsWith('q='))?.slice(2)
    const weight = quality === undefined ? 1 : Number(quality) || 0
    // Of two that are liked as much, the one that is named first.
    if (weight > best.weight) best = { language, weight }
  }
  return best.language
}
