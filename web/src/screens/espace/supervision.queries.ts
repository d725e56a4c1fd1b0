import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { ifMatch } from '../../api/versions.ts'

export type Supervised = components['schemas']['MairiePublication']
type Decided = components['schemas']['DecidedByMember']
export type Verdict = {
  status: Supervised['moderation_status']
  reason?: string
  ground?: string | undefined
  at?: string
}

/** Rows of the list: a mairie that has more decides on these first. */
export const supervisedSize = 50

/** Pending publications of others that a mairie may decide on, the longest waiting first. */
export const supervisedQuery = (mairieId: string, { q = '', size = supervisedSize }) =>
  queryOptions({
    queryKey: ['publications', 'supervised', mairieId, { q, size }],
    queryFn: ({ signal }) => {
      const query = {
        ...{ supervision: 'only', moderation_status: ['pending'], sort: 'created_at_asc', per_page: size },
        ...(q !== '' && { q }),
      }
      const params = { path: { acteurId: mairieId }, query: query as never }
      return got(api.GET('/api/v1/mairie/acteurs/{acteurId}/publications', { signal, params }))
    },
    placeholderData: keepPreviousData,
  })

/** Decides on a publication for a mairie, in the version that was seen. */
export async function decideForMairie(
  acteurId: string,
  { id: publicationId, version }: Pick<Supervised, 'id' | 'version'>,
  { status, reason, ground, at }: Verdict,
): Promise<Decided> {
  const params = { path: { acteurId, publicationId }, header: ifMatch(version) }
  const body = {
    moderation_status: status,
    ...(reason && { reason }),
    ...(ground && { ground }),
    ...(at && { publie_le: at }),
  }
  const path = '/api/v1/mairie/acteurs/{acteurId}/publications/{publicationId}/moderate'
  return (await got(api.PATCH(path, { params, body }))).data
}
