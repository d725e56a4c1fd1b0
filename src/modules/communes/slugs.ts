import { slugify } from '../../platform/text.ts'

type Named = { code: string; nom: string; departement: string }

/**
 * Slugs of communes loaded together, by INSEE code: the name; where several share it, each with its département;
 * where that is still shared, each with its INSEE code. `taken` are those that others have already.
 */
export function uniqueSlugs(communes: Named[], taken: ReadonlySet<string> = new Set()): Map<string, string> {
  const slugs = new Map<string, string>()
  const used = new Set(taken)
  const candidates = [
    ({ nom }: Named) => slugify(nom),
    ({ nom, departement }: Named) => `${slugify(nom)}-${departement.toLowerCase()}`,
    ({ nom, code }: Named) => `${slugify(nom)}-${code.toLowerCase()}`,
  ]
  let unnamed = communes
  for (const candidate of candidates) {
    const groups = Map.groupBy(unnamed, candidate)
    unnamed = []
    for (const [slug, group] of groups) {
      const [only] = group
      if (group.length > 1 || only === undefined || used.has(slug)) {
        unnamed.push(...group)
        continue
      }
      slugs.set(only.code, slug)
      used.add(slug)
    }
  }
  return slugs
}
