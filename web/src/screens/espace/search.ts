import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

export const ownStates = ['pending', 'approved', 'published', 'rejected'] as const
export type OwnSearch = { q?: string; status?: (typeof ownStates)[number]; page?: number }

export const ownSearch = ({ q, status, page }: SearchParams): OwnSearch =>
  defined({ q: textOf(q), status: oneOf(ownStates, status), page: pageOf(page) })

/** `commune`: one of several. */
export type GroupHidingsSearch = { commune?: string; page?: number }

export const groupHidingsSearch = ({ commune, page }: SearchParams): GroupHidingsSearch =>
  defined({ commune: textOf(commune), page: pageOf(page) })

const communeTabs = ['infos', 'collectes', 'elus'] as const
export type CommuneTab = (typeof communeTabs)[number]

/** `commune`: one of several; `edit`: the élu or collecte in the open dialog, by id. */
type OwnCommuneSearch = { commune?: string; tab?: CommuneTab; edit?: string }

export const ownCommuneSearch = ({ commune, tab, edit }: SearchParams): OwnCommuneSearch =>
  defined({ commune: textOf(commune), tab: oneOf(communeTabs, tab), edit: textOf(edit) })
