type Named = { code: string; nom: string; departement: string }

/**
 * Slugs of communes loaded together, by INSEE code: the name; where several share it, each with its département;
 * where that is still shared, each with its INSEE code. `taken` are those that others hold already.
 */
export function uniqueSlugs(communes: Named[], taken: ReadonlySet<string> = new Set()): Map<string, string> {
  const slugs = new Map<string, string>()
  const settled = new Set(taken)
  const candidates = [
    ({ nom }: Named) => slugify(nom),
    ({ nom, departement }: Named) => `${slugify(nom)}-${departement.toLowerCase()}`,
    ({ nom, code }: Named) => `${slugify(nom)}-${code.toLowerCase()}`,
  ]
  let unsettled = communes
  for (const candidate of candidates) {
    const groups = Map.groupBy(unsettled, candidate)
    unsettled = []
    for (const [slug, group] of groups) {
      const [only] = group
      if (group.length > 1 || only === undefined || settled.has(slug)) {
        unsettled.push(...group)
        continue
      }
      slugs.set(only.code, slug)
      settled.add(slug)
    }
  }
  return slugs
}

/** Short enough to have a code behind it, and to stand in a path. */
export function slugify(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 180)
    .replace(/-+$/, '')
}
