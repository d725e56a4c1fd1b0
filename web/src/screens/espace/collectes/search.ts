import { defined, pageOf, type SearchParams, textOf } from '../../../shell/lists/search-params.ts'

/** `import`: the import that is open; `page`: of the communes. */
export type CollectesSearch = { import?: string; page?: number }

export const collectesSearch = ({ import: id, page }: SearchParams): CollectesSearch =>
  defined({ import: textOf(id), page: pageOf(page) })
