import { defined, oneOf, pageOf, type SearchParams } from '../../shell/lists/search-params.ts'

export const niveaux = ['info', 'attention', 'urgence'] as const
export type Niveau = (typeof niveaux)[number]
export const whens = ['current', 'others'] as const
export type AlertesSearch = { niveau?: Niveau; when?: (typeof whens)[number]; page?: number }

export const alertesSearch = ({ niveau, when, page }: SearchParams): AlertesSearch =>
  defined({ niveau: oneOf(niveaux, niveau), when: oneOf(whens, when), page: pageOf(page) })
