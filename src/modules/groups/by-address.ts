import { isStreetAlone } from '../../platform/formats/address.ts'
import { fold, hasWord } from '../../platform/formats/text.ts'
import type { CommuneListed } from '../communes/schema.ts'

/**
 * An address of a group, split into its commune and its street. `communes`: one, several of the same postal code, or none if
 * the address names none. `place`: where only a misspelt name can stand.
 */
export type SplitAddress = { communes: CommuneListed[]; street: string; place: string }

/** Words as they are compared; the text between them matters for what a name may end. */
type Word = { key: string; from: number; to: number }

/**
 * Finds the communes that an address names: by a postal code and the name after it, else by a name at the end, or at the
 * beginning before a comma or a number. `12 rue de Barberaz` names no commune, but a street.
 */
export function splitAddress(text: string, members: readonly CommuneListed[]): SplitAddress {
  const typed = text.normalize('NFC')
  const words = wordsOf(typed)
  const at = words.findIndex(({ key }) => /^\d{5}$/.test(key))
  const code = words[at]
  if (code !== undefined) return byPostalCode(typed, words, at, members)
  const runs = members.flatMap((commune) => runsOf(commune, words, typed).map((run) => ({ commune, ...run })))
  const longest = runs.reduce((most, { length }) => Math.max(most, length), 0)
  const [best, ...others] = runs.filter(({ length }) => length === longest)
  if (best !== undefined) {
    const communes = [best, ...others].map(({ commune }) => commune)
    return { communes: [...new Set(communes)], street: best.street, place: '' }
  }
  const parts = typed.split(',').map((part) => part.trim())
  const place = parts.at(-1) ?? ''
  return { communes: [], street: parts.length > 1 ? parts.slice(0, -1).join(', ') : typed.trim(), place }
}

function byPostalCode(
  typed: string,
  words: readonly Word[],
  at: number,
  members: readonly CommuneListed[],
): SplitAddress {
  const { key: code = '', from = 0, to = 0 } = words[at] ?? {}
  const after = words.slice(at + 1)
  const named = members
    .map((commune) => ({
      commune,
      length: Math.max(0, ...namesOf(commune).map((name) => (beginsWith(after, name) ? name.length : 0))),
    }))
    .filter(({ length }) => length > 0)
  const length = Math.max(0, ...named.map((one) => one.length))
  const communes =
    length > 0
      ? named.filter((one) => one.length === length).map(({ commune }) => commune)
      : members.filter(({ codes_postaux }) => codes_postaux.includes(code))
  const before = typed.slice(0, from)
  // The name may stand first: `73000 Chambéry, 12 rue Haute`.
  const rest = typed.slice(after[length - 1]?.to ?? to)
  return { communes, street: trimmed(hasWord(before) ? before : length > 0 ? rest : ''), place: rest.trim() }
}

/** Lists where a name of the commune may stand for it, with the street that is left. */
function runsOf(commune: CommuneListed, words: readonly Word[], typed: string) {
  return namesOf(commune).flatMap((name) => {
    const { length } = name
    const runs: { length: number; street: string }[] = []
    const end = words.length - length
    if (end >= 0 && beginsWith(words.slice(end), name)) {
      const street = typed.slice(0, words[end]?.from)
      if (endsStreet(street, words[end - 1])) runs.push({ length, street: trimmed(street) })
    }
    const rest = typed.slice(words[length - 1]?.to)
    if (end > 0 && beginsWith(words, name) && /^\s*[,;(]|^\s+\d/.test(rest))
      runs.push({ length, street: trimmed(rest) })
    return runs
  })
}

/** True if a name after this text is that of a commune, and does not belong to the street: `place Saint-Martin`. */
const endsStreet = (street: string, last: Word | undefined): boolean =>
  last === undefined ||
  /[,;(\n]\s*$/.test(street) ||
  (!linking.has(last.key) && !isStreetAlone(trimmed(street)))

const linking = new Set(['d', 'de', 'des', 'du', 'l', 'la', 'le', 'les', 'et', 'sur', 'sous'])
const articles = new Set(['l', 'la', 'le', 'les'])

/** The name of a commune by its words, and without its article. */
function namesOf({ nom }: CommuneListed): string[][] {
  const name = wordsOf(nom).map(({ key }) => key)
  return name.length > 1 && articles.has(name[0] ?? '') ? [name, name.slice(1)] : [name]
}

const beginsWith = (words: readonly Word[], name: readonly string[]): boolean =>
  name.length > 0 && name.every((key, at) => words[at]?.key === key)

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => {
    const key = fold(word)
    return { key: saints.get(key) ?? key, from: index, to: index + word.length }
  })

const saints = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
])

/** Without separators, and without the preposition before a name: `12 rue Haute à`. */
const trimmed = (text: string) =>
  text
    .replace(/^[\s,;()-]+|[\s,;()-]+$/g, '')
    .replace(/\s+à$/i, '')
    .trim()
