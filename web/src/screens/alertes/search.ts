export const niveaux = ['info', 'attention', 'urgence'] as const
export type Niveau = (typeof niveaux)[number]
export type AlertesSearch = { niveau?: Niveau; when?: 'current' | 'others'; page?: number }
