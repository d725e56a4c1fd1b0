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
  /** Of a group: the communes it is for; none: all. */
  commune_ids?: string[]
  /** Tells subscribers that it has ended. */
  prevenir?: boolean
  /** Tells subscribers who were told of it what it says now. */
  notify?: boolean
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
  restore: (alerte: Pick<Managed, 'id' | 'commune_id' | 'acteur_id'>) => Promise<unknown>
}

export type PlacesProps = {
  /** Ids of the communes that an alerte of a group is for; null: all of them. */
  places: readonly string[] | null
  onChange: (places: readonly string[] | null) => void
  error: string | null
}

/** State of an alerte now. */
export function stateOf({ debut, fin }: Pick<Managed, 'debut' | 'fin'>): 'ended' | 'toCome' | 'current' {
  const now = new Date()
  if (fin !== null && new Date(fin) <= now) return 'ended'
  return debut !== null && new Date(debut) > now ? 'toCome' : 'current'
}
