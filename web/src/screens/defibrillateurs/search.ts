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
export const tabs = ['list', 'map', 'syncs'] as const

export type DefibrillateursSearch = {
  tab?: (typeof tabs)[number]
  q?: string
  statut?: Statut
  etat?: Etat
  /** Whether the registry has lost it. */
  absent?: 'yes' | 'no'
  sort?: (typeof sorts)[number]
  page?: number
  /** Place of the map: latitude, longitude, zoom. */
  at?: string
}

/** The filters as parameters of the list and the map. */
export const filtersOf = ({ q, statut, etat, absent }: DefibrillateursSearch) => ({
  ...(q && { q }),
  ...(statut && { statut_admin: [statut] }),
  ...(etat && { etat_fonctionnement: [etats[etat]] }),
  ...(absent && { absent: [absent === 'yes'] }),
})
