import { fold } from '../../platform/formats/text.ts'

/** What residents look for, by the page of a commune that answers, in their words. */
const topics = {
  collectes: [
    ...['poubelle', 'bac', 'déchet', 'déchetterie', 'déchèterie', 'tri', 'ordure', 'encombrant', 'verre'],
    ...['collecte', 'ramassage', 'recyclage', 'compost', 'biodéchet', 'sac jaune', 'éboueur'],
    ...['emballage', 'carton', 'plastique'],
  ],
  mairie: [
    ...['mairie', 'horaire', 'ouverture', 'ouvert', 'état civil', 'passeport', 'carte d’identité', 'acte'],
    ...['naissance', 'mariage', 'décès', 'urbanisme', 'permis de construire', 'secrétariat', 'téléphone'],
    ...['hôtel de ville', 'cadastre', 'liste électorale', 'rendez-vous'],
  ],
  elus: ['élu', 'maire', 'adjoint', 'conseil municipal', 'conseiller'],
  defibrillateurs: ['défibrillateur', 'dae', 'arrêt cardiaque'],
  alertes: ['alerte', 'coupure', 'urgence'],
  agenda: [
    ...['agenda', 'calendrier', 'sortie', 'événement', 'fête', 'concert', 'spectacle', 'week-end'],
    'marché',
  ],
  acteurs: ['annuaire', 'association', 'commerce', 'club', 'école', 'sport', 'artisan', 'magasin'],
  abonnement: ['abonnement', 's’abonner', 'notification', 'recevoir', 'lettre d’information'],
} as const
export type SearchTopic = keyof typeof topics
export const searchTopics = Object.keys(topics) as [SearchTopic, ...SearchTopic[]]

/** A term with its words prepared for comparison. */
export type PreparedTerm = { topic: SearchTopic; words: readonly Word[] }
type Word = { text: string; trigrams: ReadonlySet<string> }

/** Splits a text into folded words, without those that mean nothing alone. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(
      (word) => word.length > 1 && !/^(?:les?|la|des?|du|un|une|et|au|aux|en|pour|ma|mon|mes)$/.test(word),
    )

export const singular = (word: string) => (word.length > 3 ? word.replace(/[sx]$/, '') : word)

/** Returns the same text for all ways to write a term, and none if it has no word to look for. */
export const keyOfTerm = (term: string): string =>
  [...new Set(wordsOf(term).map(singular))].toSorted().join(' ')

export const prepareTerm = (topic: SearchTopic, term: string): PreparedTerm => ({
  topic,
  words: wordsOf(term).map(wordOf),
})

const builtIn = searchTopics.flatMap((topic) => topics[topic].map((term) => prepareTerm(topic, term)))
const builtInKeys: ReadonlySet<string> = new Set(Object.values(topics).flat().map(keyOfTerm))

/** True if the service itself knows a term of this key. */
export const isBuiltIn = (key: string): boolean => builtInKeys.has(key)

/** Returns the topics that a search is about, though a letter is wrong or missing. */
export function topicsOf(q: string, added: readonly PreparedTerm[] = []): SearchTopic[] {
  const typed = [...new Set(wordsOf(q))].map(wordOf)
  const named = [...builtIn, ...added].filter(({ words }) =>
    words.every((word) => typed.some((one) => isLike(one, word))),
  )
  return searchTopics.filter((topic) => named.some((term) => term.topic === topic))
}

/** How much of the letters in groups of three must be the same: "defibrilateur" is like "defibrillateur". */
const minSimilarity = 0.45
/** Shorter words have too few groups. */
const minLength = 5

function isLike(one: Word, word: Word): boolean {
  if (one.text === word.text) return true
  if (one.text.length < minLength || word.text.length < minLength) return false
  const [a, b] = [one.trigrams, word.trigrams]
  if (Math.min(a.size, b.size) < minSimilarity * Math.max(a.size, b.size)) return false
  return a.intersection(b).size / a.union(b).size >= minSimilarity
}

function wordOf(word: string): Word {
  const text = singular(word)
  const padded = `  ${text} `
  return {
    text,
    trigrams: new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))),
  }
}
