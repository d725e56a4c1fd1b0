import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { LookName, PictureName } from '../../../../src/modules/communes/fields.ts'
import type { components, operations } from '../../api/api.generated.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import type { Commune, Preview, PreviewBody } from './queries.ts'

/** What administrators and the mairie edit of a commune. */
export type EditedCommune = Pick<
  Commune,
  | 'id'
  | 'nom'
  | 'version'
  | 'elus'
  | 'collectes'
  | 'commune_infos'
  | 'infos'
  | 'mairie'
  | LookName
  | PictureName
>
export type Patch = operations['updateCommune']['requestBody']['content']['application/json']

/** Reads and saves a commune, by the routes of administrators or of its mairie. */
export type CommuneEditing<Edited extends EditedCommune = EditedCommune> = {
  query: (id: string) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<Edited>
  }
  patch: (id: string, version: number, body: Patch) => Promise<EditedCommune>
  /** Query of the rows of its lists that were deleted, and can be restored. */
  deleted: (id: string) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<components['schemas']['DeletedRecord'][]>
  }
  restore: (id: string, deletedId: string) => Promise<EditedCommune>
  /** Computes the dates of an unsaved collecte. */
  preview: (communeId: string, body: PreviewBody, signal: AbortSignal) => Promise<Preview>
}

const Editing = createContext<CommuneEditing | null>(null)
export const CommuneEditingProvider = Editing.Provider

export function useCommuneEditing(): CommuneEditing {
  const editing = useContext(Editing)
  if (editing === null) throw new Error('The screen says by which routes its commune is edited')
  return editing
}

/**
 * Returns a function that saves a part of the commune. `make` returns the change for the newest version that is known,
 * or throws `Overtaken` if that part is no longer what the user saw.
 */
export function useSaveCommune(id: string) {
  const client = useQueryClient()
  const { query: queryOf, patch } = useCommuneEditing()
  const query = queryOf(id)
  return (make: (now: EditedCommune) => Patch) =>
    saveNewest(client, query, async (now) => {
      const saved = await patch(id, now.version, make(now))
      await client.cancelQueries(query)
      client.setQueryData(query.queryKey, { ...now, ...saved })
      void client.invalidateQueries({ queryKey: ['communes', 'list'] })
      void client.invalidateQueries({ queryKey: ['communes', 'deleted', id] })
      void client.invalidateQueries({ queryKey: ['communes', 'secteurs', id] })
      return saved
    })
}

/** Returns a function that restores a row of a list of the commune, and shows it. */
export function useRestoreRow(id: string) {
  const client = useQueryClient()
  const { query: queryOf, restore } = useCommuneEditing()
  const query = queryOf(id)
  return async (row: { id: string }) => {
    const saved = await restore(id, row.id)
    await client.cancelQueries(query)
    client.setQueryData(query.queryKey, (now: object | undefined) => now && { ...now, ...saved })
    void client.invalidateQueries({ queryKey: ['communes'] })
  }
}
