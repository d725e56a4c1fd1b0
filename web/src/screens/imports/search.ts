import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

/** Views beside the sources. */
export const views = ['runs', 'held'] as const
export const runStatuses = ['queued', 'running', 'succeeded', 'partial', 'failed'] as const

/** State of the screen in its URL. */
export type ImportsSearch = {
  view?: (typeof views)[number]
  q?: string
  status?: (typeof runStatuses)[number]
  page?: number
}

export const importsSearch = ({ view, q, status, page }: SearchParams): ImportsSearch =>
  defined({ view: oneOf(views, view), q: textOf(q), status: oneOf(runStatuses, status), page: pageOf(page) })
