import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../../../api/client.ts'
import type { Listed } from '../queries.ts'

export type Group = { key: string; reason: 'source_url' | 'signature'; members: Listed[] }

/** Excludes rejected publications: a group with one remaining member is settled. */
const query = {
  duplicates: true,
  moderation_status: ['pending', 'approved', 'published'],
  sort: 'created_at_asc',
  per_page: 100,
} as const

export const groupsQuery = queryOptions({
  queryKey: ['publications', 'duplicates'],
  refetchOnWindowFocus: false,
  queryFn: async ({ signal }): Promise<Group[]> => {
    const params = { query: query as never }
    const { data } = await got(api.GET('/api/v1/admin/publications', { signal, params }))
    return [...Map.groupBy(data, ({ duplicate_key }) => duplicate_key ?? '')].flatMap(([key, members]) =>
      members.length > 1 ? [{ key, members, reason: members[0]?.duplicate_reason ?? 'signature' }] : [],
    )
  },
})

export const keepOne = (kept: string, reject: readonly string[]) =>
  got(
    api.POST('/api/v1/admin/publications/{id}/keep', {
      params: { path: { id: kept } },
      body: { reject: [...reject] },
    }),
  )
