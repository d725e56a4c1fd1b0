import type { fr } from './fr.ts'

/** Same keys as the French texts, with any string as value. */
export type Texts = Words<typeof fr>
type Words<Tree> = { readonly [Key in keyof Tree]: Tree[Key] extends string ? string : Words<Tree[Key]> }

export const languages = ['fr', 'en'] as const
export type Language = (typeof languages)[number]

/** Puts no-break spaces inside quotation marks and before `: ; ? !`, so that no line begins with one. */
export function withFrenchSpaces<Tree extends object>(texts: Tree): Tree {
  const spaced = Object.entries(texts).map(([key, value]) => [
    key,
    typeof value === 'string'
      ? value.replaceAll('« ', '«\u00a0').replaceAll(/ (?=[»:;?!])/g, '\u00a0')
      : withFrenchSpaces(value),
  ])
  return Object.fromEntries(spaced)
}
