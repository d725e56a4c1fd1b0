import { useTranslations } from 'use-intl'

/** Codes that the public knows by other words. Any other text is a kind of waste too. */
const codes = [
  'ordures_menageres',
  'emballages',
  'verre',
  'papier',
  'biodechets',
  'dechets_verts',
  'encombrants',
] as const

/** Returns two functions: the words for a stored kind of waste, and the kind to store for words. */
export function useWaste() {
  const words = useTranslations('communes.collectes.waste')
  const same = (one: string, other: string) => one.trim().toLowerCase() === other.toLowerCase()
  return {
    inWords: (kind: string) => {
      const code = codes.find((known) => known === kind)
      return code === undefined ? kind : words(code)
    },
    kindOf: (typed: string) => codes.find((code) => same(typed, code) || same(typed, words(code))) ?? typed,
  }
}
