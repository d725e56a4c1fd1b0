/** The messages that a resident may choose about a commune, as `resident_choices` stores it. */
export type Choice = {
  alertes: (typeof alertesLevels)[number]
  collectes_hour: number | null
  collectes_secteur: string | null
  actualites: boolean
}
export const alertesLevels = ['all', 'urgent', 'none'] as const

/** Whether a choice asks for anything. The database refuses others. */
export const isSomething = ({ alertes, collectes_hour, actualites }: Choice): boolean =>
  alertes !== 'none' || collectes_hour !== null || actualites
