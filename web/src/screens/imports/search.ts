/** Views beside the sources. */
export const views = ['runs', 'held'] as const
export const runStatuses = ['queued', 'running', 'succeeded', 'partial', 'failed'] as const

/** State of the screen in its URL. Separate from the queries, so that the router loads nothing else. */
export type ImportsSearch = {
  view?: (typeof views)[number]
  q?: string
  status?: (typeof runStatuses)[number]
  page?: number
}
