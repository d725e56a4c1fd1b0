import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

export const statuts = ['actif', 'masque', 'a_verifier'] as const
export type Statut = (typeof statuts)[number]
export const etats = {
  working: 'En fonctionnement',
  broken: 'Hors service',
  removed: 'Supprimé définitivement',
  away: 'Absent momentanément',
  unknown: 'Inconnu',
} as const
export type Etat = keyof typeof etats
export const etatNames = Object.keys(etats) as Etat[]
export const sorts = ['nom_asc', 'commune_nom_asc', 'mis_a_jour_le_desc', 'mis_a_jour_le_asc'] as const
export const absents = ['no', 'yes'] as const
export const tabs = ['list', 'map', 'syncs'] as const

export type DefibrillateursSearch = {
  tab?: (typeof tabs)[number]
  q?: string
  statut?: Statut
  etat?: Etat
  /** Whether the registry has lost it. */
  absent?: (typeof absents)[number]
  sort?: (typeof sorts)[number]
  page?: number
  /** Place of the map: latitude, longitude, zoom. */
  at?: string
}

export const defibrillateursSearch = (search: SearchParams): DefibrillateursSearch =>
  defined({
    tab: oneOf(tabs, search.tab),
    q: textOf(search.q),
    statut: oneOf(statuts, search.statut),
    etat: oneOf(etatNames, search.etat),
    absent: oneOf(absents, search.absent),
    sort: oneOf(sorts, search.sort),
    page: pageOf(search.page),
    at: textOf(search.at),
  })

/** The filters as parameters of the list and the map. */
export const filtersOf = ({ q, statut, etat, absent }: DefibrillateursSearch) => ({
  ...(q && { q }),
  ...(statut && { statut_admin: [statut] }),
  ...(etat && { etat_fonctionnement: [etats[etat]] }),
  ...(absent && { absent: [absent === 'yes'] }),
})
