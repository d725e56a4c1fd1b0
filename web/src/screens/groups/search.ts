import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

export const groupKinds = ['epci', 'syndicat', 'autre'] as const
export type GroupKind = (typeof groupKinds)[number]
export type GroupsSearch = { q?: string; kind?: GroupKind; page?: number }

export const groupsSearch = ({ q, kind, page }: SearchParams): GroupsSearch =>
  defined({ q: textOf(q), kind: oneOf(groupKinds, kind), page: pageOf(page) })
