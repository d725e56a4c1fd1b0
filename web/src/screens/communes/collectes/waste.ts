import { useTranslations } from 'use-intl'
import { wasteCodes } from '../../../../../src/modules/communes/fields.ts'

export const wasteKinds = wasteCodes

/** Returns two functions: the words for a stored kind of waste, and the kind to store for words. */
export function useWaste() {
  const words = useTranslations('communes.collectes.waste')
  const same = (one: string, other: string) => one.trim().toLowerCase() === other.toLowerCase()
  return {
    inWords: (kind: string) => {
      const code = wasteCodes.find((known) => known === kind)
      return code === undefined ? kind : words(code)
    },
    kindOf: (typed: string) =>
      wasteCodes.find((code) => same(typed, code) || same(typed, words(code))) ?? typed,
  }
}
