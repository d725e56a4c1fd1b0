/** Number of different words. At a million publications the rarest are in about ten each. */
const vocabulary = 500_000

// The most frequent first. "dimanche" is in a third of all texts.
const common = (
  'de la le et les des du en pour une dimanche un au dans sur est avec par samedi qui vous mairie commune salle ' +
  'aux se que heures ce plus place nous village rue jour tous partir école ou vos votre juin matin centre été ' +
  'entrée inscription gratuit enfants vendredi association animation repas soirée concert marché travaux réunion'
).split(' ')

const consonants = [...'bcdfghjklmnprstv']
const vowels = [...'aeiou']
const syllables = consonants.flatMap((consonant) => vowels.map((vowel) => consonant + vowel))

/** Returns the word of this rank, 0 being the most frequent: few begin alike, and those that do have all frequencies. */
export function wordOf(rank: number): string {
  const known = common[rank]
  if (known !== undefined) return known
  let word = ''
  for (let rest = rank; word.length < 6; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

/** Returns a word that at most 50 of this many publications have: another one for each number up to some thousands. */
export const rareWord = (count: number, number: number): string =>
  wordOf(Math.min(vocabulary - 10_000, Math.floor(count * 0.12)) + common.length + number)

/** Draws a word; its frequency is in inverse proportion to its rank, as Zipf found of texts. */
const drawWord = (random: () => number) => wordOf(Math.floor((vocabulary + 1) ** random()) - 1)

/** Draws a text of 30 to 90 words, in sentences. */
export function textOf(random: () => number): string {
  const words = Array.from({ length: 30 + Math.floor(random() * 61) }, () => drawWord(random))
  const sentences: string[] = []
  while (words.length > 0) {
    const [first = '', ...rest] = words.splice(0, 8 + Math.floor(random() * 7))
    sentences.push(`${[first[0]?.toUpperCase() + first.slice(1), ...rest].join(' ')}.`)
  }
  return sentences.join(' ')
}
