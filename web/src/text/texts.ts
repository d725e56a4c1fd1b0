import type { fr } from './fr.ts'

/** Same keys as the French texts, with any string as value. */
export type Texts = Words<typeof fr>
type Words<Tree> = { readonly [Key in keyof Tree]: Tree[Key] extends string ? string : Words<Tree[Key]> }

export const languages = ['fr', 'en'] as const
export type Language = (typeof languages)[number]
