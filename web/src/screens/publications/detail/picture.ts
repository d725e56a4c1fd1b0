import type { components } from '../../../api/api.generated.ts'
import type { ReportedPublication } from '../queries.ts'

export type Image = components['schemas']['Image']
export type Document = components['schemas']['Document']

/** Lets a moderator remove pictures and documents, and describe pictures. */
export type MediaDeeds = {
  publication: ReportedPublication
  onRemove: (id: string, reason: string) => Promise<unknown>
}

export const lacksDescription = ({ alt, decorative }: Pick<Image, 'alt' | 'decorative'>) =>
  alt === null && !decorative

/** Returns the largest variant up to a width; the smallest exists always. */
export const sourceOf = ({ src }: Pick<Image, 'src'>, width: 400 | 800 | 1600): string =>
  ((width >= 1600 && src[1600]) || (width >= 800 && src[800]) || src[400]).webp
