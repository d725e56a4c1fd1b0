/** Filters of the list, as text in the URL, so that a saved view can store them unchanged. */
export type ListSearch = {
  q?: string
  status?: (typeof states)[number]
  only?: (typeof marks)[number]
  sort?: (typeof sorts)[number]
  page?: number
}

export const states = ['pending', 'approved', 'published', 'rejected', 'deleted'] as const
export const marks = ['reported', 'featured', 'hidden'] as const
export const sorts = [
  'created_at_desc',
  'created_at_asc',
  'publie_le_desc',
  'date_debut_asc',
  'titre_asc',
] as const

/** Filters that the list had last, for the way back to it. */
export const latestSearch: { value: ListSearch } = { value: {} }

const oneOf = <Value>(values: readonly Value[], value: unknown) => values.find((known) => known === value)

export function listSearch({ q, status, only, sort, page }: Record<string, unknown>): ListSearch {
  const number = Number(page)
  return {
    // The router parses an all-digit `q` as a number.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
    ...(oneOf(states, status) && { status: oneOf(states, status) }),
    ...(oneOf(marks, only) && { only: oneOf(marks, only) }),
    ...(oneOf(sorts.slice(1), sort) && { sort: oneOf(sorts, sort) }),
    ...(Number.isInteger(number) && number > 1 && { page: number }),
  }
}
