import type { components } from '../../api/api.generated.ts'
import type { Niveau } from './search.ts'

/** An alerte as those who may change it see it. */
export type Managed = components['schemas']['ManagedAlerte']

export type Changed = {
  titre?: string
  message?: string
  niveau?: Niveau
  debut?: string | null
  fin?: string | null
  /** Tells subscribers that it has ended. */
  prevenir?: boolean
}

/** Reads and changes alertes, by the routes of administrators or of a mairie. */
export type AlerteStore = {
  /** Query of the newest version; null once it is deleted. */
  query: (alerte: Managed) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<Managed | null>
  }
  update: (alerte: Managed, body: Changed) => Promise<Managed>
  remove: (alerte: Managed) => Promise<unknown>
}
