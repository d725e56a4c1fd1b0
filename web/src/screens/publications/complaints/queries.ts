import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'
import { atVersion } from '../../../api/versions.ts'
import type { ComplaintsSearch } from './search.ts'

export type Complaint = components['schemas']['Complaint']
export type ReadComplaint = components['schemas']['ComplaintRead']
export type Verdict = NonNullable<Complaint['decision']>

export const tones = { open: 'warn', upheld: 'plain', reversed: 'good' } as const
export const stateOf = ({ decision }: Complaint) => decision ?? 'open'
export const perPage = 25

/** Complaints by state: open ones oldest first, others newest first. */
export const complaintsQuery = ({ page = 1, state = 'open' }: ComplaintsSearch) =>
  queryOptions({
    queryKey: ['complaints', 'list', { state, page }],
    queryFn: ({ signal }) => {
      const query = {
        page,
        per_page: perPage,
        sort: state === 'open' ? ('created_at_asc' as const) : ('created_at_desc' as const),
        ...(state !== 'all' && { state }),
      }
      return got(api.GET('/api/v1/admin/complaints', { signal, params: { query } }))
    },
    placeholderData: keepPreviousData,
  })

export const complaintQuery = (id: string) =>
  queryOptions({
    queryKey: ['complaints', 'one', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/complaints/{id}', { signal, params: { path: { id } } }))).data,
  })

export async function decideComplaint(
  complaint: Pick<Complaint, 'id' | 'version'>,
  body: { decision: Verdict; answer?: string },
): Promise<Complaint> {
  return (await got(api.PATCH('/api/v1/admin/complaints/{id}', { params: atVersion(complaint), body }))).data
}
