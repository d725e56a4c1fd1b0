import type { components } from '../../api/api.generated.ts'
import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

export type Gap = components['schemas']['ManagedCommune']['gaps'][number]
export const gapNames = ['elus', 'collectes', 'infos', 'mairie'] as const satisfies readonly Gap[]
export const sorts = ['nom_asc', 'nom_desc', 'population_desc', 'population_asc', 'code_insee_asc'] as const
export const tabs = ['identity', 'elus', 'collectes', 'infos', 'defibrillateurs', 'notes'] as const
export type Tab = (typeof tabs)[number]

/** `page` only counts the pages shown so far; `after` is where this one begins. */
export type CommunesSearch = {
  q?: string
  departement?: string
  incomplete?: Gap[]
  sort?: (typeof sorts)[number]
  after?: string
  page?: number
}
/** `edit`: the élu or collecte in the open dialog, by id; `new` for one that is added. `page`: of the defibrillators. */
export type CommuneSearch = { tab?: Tab; edit?: string; page?: number }

export function communesSearch(search: SearchParams): CommunesSearch {
  const departement = textOf(search.departement)
  return defined({
    q: textOf(search.q),
    departement: departement !== undefined && isDepartement(departement) ? departement : undefined,
    incomplete: gapsFrom(search.incomplete),
    sort: oneOf(sorts, search.sort),
    after: textOf(search.after),
    page: pageOf(search.page),
  })
}

export const communeSearch = ({ tab, edit, page }: SearchParams): CommuneSearch =>
  defined({ tab: oneOf(tabs, tab), edit: textOf(edit), page: pageOf(page) })

/** Reads the gaps of the URL; undefined without a known one. */
function gapsFrom(value: unknown): Gap[] | undefined {
  const found = gapNames.filter((gap) => Array.isArray(value) && value.includes(gap))
  return found.length > 0 ? found : undefined
}

export const isDepartement = (code: string) => /^[0-9][0-9AB][0-9]?$/.test(code)
