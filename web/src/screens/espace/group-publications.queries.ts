import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'

export type GroupPublication = components['schemas']['GroupPublication']

export const perPage = 25

/** What groups publish for a commune, newest first. */
export const groupPublicationsQuery = (communeId: string, { page = 1 }: { page?: number }) =>
  queryOptions({
    queryKey: ['publications', 'groups', communeId, { page }],
    queryFn: ({ signal }) => {
      const params = { path: { communeId }, query: { page, per_page: perPage } }
      return got(api.GET('/api/v1/mairie/communes/{communeId}/group-publications', { signal, params }))
    },
    placeholderData: keepPreviousData,
  })

/** Hides a publication in a commune, or shows it again. */
export async function setHidden(
  communeId: string,
  publicationId: string,
  isHidden: boolean,
): Promise<GroupPublication> {
  const path = '/api/v1/mairie/communes/{communeId}/group-publications/{publicationId}/hidden'
  const params = { path: { communeId, publicationId } }
  return (await got(isHidden ? api.PUT(path, { params }) : api.DELETE(path, { params }))).data
}
