import { defined, pageOf, type SearchParams, textOf } from '../../../shell/lists/search-params.ts'

/** `import`: the import that is open; `fill`: a calendar is filled in; `page`: of the communes. */
export type CollectesSearch = { import?: string; fill?: true; page?: number }

export const collectesSearch = ({ import: id, fill, page }: SearchParams): CollectesSearch =>
  defined({ import: textOf(id), fill: fill === true ? (true as const) : undefined, page: pageOf(page) })
