import { queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { ifMatch } from '../../api/versions.ts'

export type ActeurPage = components['schemas']['ActeurPage']

/** The page of an acteur as its members see it, with counts and, for owners, the team. */
export const acteurPageQuery = (acteurId: string) =>
  queryOptions({
    queryKey: ['acteurs', 'own', acteurId],
    queryFn: async ({ signal }): Promise<ActeurPage> => {
      const params = { path: { acteurId } }
      return (await got(api.GET('/api/v1/me/acteurs/{acteurId}', { signal, params }))).data
    },
  })

type Changed = operations['updateMyActeur']['requestBody']['content']['application/json']

export async function updatePage({ id, version }: ActeurPage, body: Changed): Promise<ActeurPage> {
  const params = { path: { acteurId: id }, header: ifMatch(version) }
  return (await got(api.PATCH('/api/v1/me/acteurs/{acteurId}', { params, body }))).data
}
