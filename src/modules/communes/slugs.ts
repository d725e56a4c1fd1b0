import { invalid } from '../../platform/errors.ts'
import { slugify } from '../../platform/formats/text.ts'
import { isUuid } from '../../platform/formats/uuid.ts'

type CommuneName = { code: string; nom: string; departement: string }

/**
 * Returns slugs by INSEE code for communes loaded together: the name; if it is shared, with the département;
 * if that is shared too, with the INSEE code instead. `taken` lists existing slugs.
 */
export function uniqueSlugs(
  communes: CommuneName[],
  taken: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const slugs = new Map<string, string>()
  const used = new Set(taken)
  const candidates = [
    ({ nom }: CommuneName) => slugify(nom),
    ({ nom, departement }: CommuneName) => `${slugify(nom)}-${departement.toLowerCase()}`,
    ({ nom, code }: CommuneName) => `${slugify(nom)}-${code.toLowerCase()}`,
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

/** Refuses a name that has no slug and cannot be searched. */
export function refuseNameless({ nom }: { nom?: string }): void {
  if (nom === undefined || slugify(nom) !== '') return
  throw invalid('nom', {
    en: 'must contain a letter or a digit',
    fr: 'doit contenir une lettre ou un chiffre',
  })
}

/** Refuses a slug that would be read as the id of another record. */
export function refuseIdAsSlug({ slug }: { slug?: string }): void {
  if (slug === undefined || !isUuid(slug)) return
  throw invalid('slug', {
    en: 'must not have the form of an id',
    fr: 'ne doit pas avoir la forme d’un identifiant',
  })
}
