import { useLocale } from 'use-intl'
import { mappedTargets, publicationFields } from '../../../../src/modules/publications/fields.ts'

type Named = keyof typeof publicationFields | (typeof mappedTargets)[number]['name']

/** Returns the label of a content field of publications, or of a part of one that a form or an import fills. */
export function useFieldLabels(): (name: Named) => string {
  const language = useLocale() === 'en' ? 'en' : 'fr'
  return (name) => labels.get(name)?.[language] ?? name
}

const labels = new Map<string, { fr: string; en: string }>([
  ...mappedTargets.map(({ name, label }) => [name, label] as const),
  ...Object.entries(publicationFields).map(([name, { label }]) => [name, label] as const),
])
