import { fold } from '../../../../platform/formats/text.ts'
import { type MappedName, mappedTargets } from '../../../publications/importing/content.ts'
import type { Mapping } from '../../schema.ts'

/** A column of a table or a path of a document, with the first value found there. */
export type Field = { name: string; example: string | null }

type Target = Exclude<keyof Mapping, 'items'>

const words: Record<Target, readonly string[]> = {
  external_id: [
    ...['external_id', 'identifiant', 'id', 'uid', 'guid', 'uuid', 'recordid', 'code', 'reference', 'ref'],
    'slug',
  ],
  ...(Object.fromEntries(mappedTargets.map(({ name, words }) => [name, words])) as Record<
    MappedName,
    readonly string[]
  >),
}

/**
 * Proposes which field is which, by their names; null if there are none. A title, a text and an identifier are
 * always proposed, since a source needs them: a colleague corrects what the names do not tell.
 */
export function proposeMapping(fields: Field[]): Mapping | null {
  const found: Partial<Record<Target, string>> = {}
  for (const [target, all] of Object.entries(words)) {
    const name = find(fields, all)
    if (name !== undefined) found[target as Target] = name
  }
  const filled = fields.filter(({ example }) => example !== null)
  const title = found.title ?? filled.find(({ name }) => name !== found.external_id)?.name ?? fields[0]?.name
  if (title === undefined) return null
  const { external_id, title: _, body, ...others } = withoutDoubtful(found)
  const taken = Object.values(others)
  return {
    external_id: external_id ?? others.url ?? title,
    title,
    body: body ?? longest(filled.filter(({ name }) => !taken.includes(name))) ?? title,
    ...others,
  }
}

/** Leaves out an end that is the beginning, an address that is the name, and one coordinate without the other. */
function withoutDoubtful(found: Partial<Record<Target, string>>): Partial<Record<Target, string>> {
  const kept = { ...found }
  if (found.date_fin === found.date_debut) delete kept.date_fin
  if (found['lieu.adresse'] === found['lieu.nom']) delete kept['lieu.adresse']
  if (!found['lieu.latitude'] || !found['lieu.longitude']) {
    delete kept['lieu.latitude']
    delete kept['lieu.longitude']
  }
  return kept
}

/** Prefers the whole name, then the last part of a path, then a name that begins with the word or abbreviates it. */
function find(fields: Field[], all: readonly string[]): string | undefined {
  const known = fields.map(({ name }) => ({ name, folded: plain(name), last: lastPart(name) }))
  const ways: ((word: string) => (field: (typeof known)[number]) => boolean)[] = [
    (word) => (field) => field.folded === word,
    (word) => (field) => field.last === word,
    (word) => (field) => word.length > 3 && field.last.startsWith(word),
    (word) => (field) => field.last.length > 3 && word.startsWith(field.last),
  ]
  for (const way of ways)
    for (const word of all.map(plain)) {
      const match = known.find(way(word))
      if (match !== undefined) return match.name
    }
  return undefined
}

const plain = (name: string) => fold(name).replaceAll(/[^a-z0-9]/g, '')

/** The last word of a path, or the one before a language or a position: `titre.fr`, `images.0`. */
function lastPart(name: string): string {
  const parts = name.split('.').map(plain)
  const end = parts.at(-1) ?? ''
  return (/^(?:fr|\d+)$/.test(end) ? parts.at(-2) : end) ?? ''
}

function longest(fields: Field[]): string | undefined {
  const length = ({ example }: Field) => example?.length ?? 0
  return fields.toSorted((one, other) => length(other) - length(one))[0]?.name
}
