import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'

export type Claim = components['schemas']['Claim']
type Decided = components['schemas']['DecidedClaim']
export const statuses = ['pending', 'approved', 'rejected', 'expired'] as const
export type ClaimsSearch = { q?: string; status?: (typeof statuses)[number] | 'all'; page?: number }
export const perPage = 25

/** Pending claims oldest first, others newest first. */
export const claimsQuery = ({ q, status = 'pending', page = 1 }: ClaimsSearch) =>
  queryOptions({
    queryKey: ['claims', 'list', { q, status, page }],
    queryFn: ({ signal }) => {
      const query = {
        page,
        per_page: perPage,
        sort: status === 'pending' ? 'created_at_asc' : 'created_at_desc',
        ...(status !== 'all' && { status: [status] }),
        ...(q && { q }),
      }
      return got(api.GET('/api/v1/admin/claims', { signal, params: { query: query as never } }))
    },
    placeholderData: keepPreviousData,
  })

export const claimQuery = (id: string) =>
  queryOptions({
    queryKey: ['claims', 'one', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/claims/{id}', { signal, params: { path: { id } } }))).data,
  })

/** All claims to one acteur: rivals that wait, and what was decided before. */
export const claimsToQuery = (acteurId: string) =>
  queryOptions({
    queryKey: ['claims', 'to', acteurId],
    enabled: acteurId !== '',
    queryFn: async ({ signal }) => {
      const params = { query: { acteur_id: acteurId, per_page: 100 } }
      return (await got(api.GET('/api/v1/admin/claims', { signal, params }))).data
    },
  })

type Verdict = { status: 'approved' | 'rejected'; reason?: string; user_id?: string }

export async function decideClaim({ id, version }: Claim, verdict: Verdict): Promise<Decided> {
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } }
  return (await got(api.PATCH('/api/v1/admin/claims/{id}', { params, body: verdict }))).data
}
