import { fold } from '../../platform/formats/text.ts'

/** What residents look for, by the page of a commune that answers, in their words. */
const topics = {
  collectes: [
    ...['poubelle', 'bac', 'déchet', 'déchetterie', 'déchèterie', 'tri', 'ordure', 'encombrant', 'verre'],
    ...['collecte', 'ramassage', 'recyclage', 'compost', 'biodéchet', 'sac jaune', 'éboueur'],
  ],
  mairie: [
    ...['mairie', 'horaire', 'ouverture', 'ouvert', 'état civil', 'passeport', 'carte d’identité', 'acte'],
    ...['naissance', 'mariage', 'décès', 'urbanisme', 'permis de construire', 'secrétariat', 'téléphone'],
    ...['hôtel de ville', 'cadastre', 'liste électorale', 'rendez-vous'],
  ],
  elus: ['élu', 'maire', 'adjoint', 'conseil municipal', 'conseiller'],
  defibrillateurs: ['défibrillateur', 'dae', 'arrêt cardiaque'],
  alertes: ['alerte', 'coupure', 'urgence'],
  agenda: ['agenda', 'sortie', 'événement', 'fête', 'concert', 'spectacle', 'week-end', 'marché'],
  acteurs: ['annuaire', 'association', 'commerce', 'club', 'école'],
  abonnement: ['abonnement', 's’abonner', 'notification', 'recevoir', 'lettre d’information'],
} as const
export type Topic = keyof typeof topics

/** Splits a text into folded words, without those that mean nothing alone. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(
      (word) => word.length > 1 && !/^(?:les?|la|des?|du|un|une|et|au|aux|en|pour|ma|mon|mes)$/.test(word),
    )

/** Returns the topics that a search is about, though a letter is wrong or missing. */
export function topicsOf(q: string): Topic[] {
  const typed = wordsOf(q)
  return (Object.keys(topics) as Topic[]).filter((topic) =>
    topics[topic].some((term) => wordsOf(term).every((word) => typed.some((one) => isLike(one, word)))),
  )
}

/** How much of the letters in groups of three must be the same: "defibrilateur" is like "defibrillateur". */
const minSimilarity = 0.45
/** Shorter words have too few groups. */
const minLength = 5

function isLike(typed: string, word: string): boolean {
  const one = singular(typed)
  if (one === singular(word)) return true
  if (one.length < minLength || word.length < minLength) return false
  const [a, b] = [trigramsOf(one), trigramsOf(singular(word))]
  return a.intersection(b).size / a.union(b).size >= minSimilarity
}

const singular = (word: string) => (word.length > 3 ? word.replace(/[sx]$/, '') : word)

function trigramsOf(word: string): Set<string> {
  const padded = `  ${word} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)))
}

/** True if each word of a search begins one of a text. */
export function isIn(q: string, text: string): boolean {
  const [typed, words] = [wordsOf(q), wordsOf(text)]
  return typed.length > 0 && typed.every((one) => words.some((word) => word.startsWith(singular(one))))
}
