import { parseJson } from '../../imports/readers/document.ts'
import { ReadFailed } from '../../imports/readers/read-failed.ts'
import type { ReadRow } from './row.ts'

const fields = [
  ...['type_dechet', 'libelle', 'secteur', 'mode', 'jours', 'toutes_les_semaines', 'rang', 'a_partir_du'],
  ...['dates', 'exceptions', 'consignes'],
]

/**
 * Yields the collections of a list of communes, `[{code_insee, collectes}]`, or of a calendar that names none,
 * `{collectes}`; each as the API shows it.
 */
export function* readDocument(text: string): Generator<ReadRow> {
  const given = parseJson(text)
  const list = isCalendar(given) ? given.collectes.map((collecte) => ({ collectes: [collecte] })) : given
  if (!Array.isArray(list)) throw new ReadFailed('It is not a list of communes.')
  for (const [index, one] of list.entries()) {
    const { code_insee, commune, collectes } = (one ?? {}) as Record<string, unknown>
    const of = { row: index + 1, code_insee: textOf(code_insee), commune: textOf(commune), problems: [] }
    if (!Array.isArray(collectes)) {
      yield { ...of, collecte: null, problems: [{ field: 'collectes', code: 'invalid' }] }
      continue
    }
    if (collectes.length === 0) yield { ...of, collecte: null }
    for (const collecte of collectes) yield { ...of, collecte: pick(collecte) }
  }
}

const isCalendar = (given: unknown): given is { collectes: unknown[] } =>
  typeof given === 'object' && given !== null && 'collectes' in given && Array.isArray(given.collectes)

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)

/** Without the id, which is that of another commune, and what is computed, such as `prochaines`. */
const pick = (collecte: unknown): Record<string, unknown> =>
  typeof collecte === 'object' && collecte !== null
    ? Object.fromEntries(Object.entries(collecte).filter(([name]) => fields.includes(name)))
    : {}
