import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, got } from '../../../api/client.ts'
import type { Why } from '../../../shell/deciding/why.ts'
import type { ListedPublication } from '../queries.ts'

export type Group = {
  key: string
  reason: 'source_url' | 'signature'
  /** The oldest publications of the group, at most `maxMembers`. */
  members: readonly ListedPublication[]
  /** All its publications, also those beyond `maxMembers`. */
  ids: readonly string[]
}

/** Limit of one request: it keeps one publication and rejects 99. */
export const maxMembers = 100
/** Limit of one request that settles a group as not duplicates. */
export const maxDistinct = 1_000
/** Bounds the memory. Once some of the loaded groups are decided, a reload brings further ones. */
const maxPages = 10

/** Cursor, and the group that the end of the former page has cut. */
type From = { after: string | null; begun?: Group | undefined }
type Page = { groups: readonly Group[]; next: From | null }

const query = { duplicates: true, unsettled: true, sort: 'created_at_asc', per_page: 100 } as const

/** Pages of whole groups, by cursor. */
export const groupsQuery = infiniteQueryOptions({
  queryKey: ['publications', 'duplicates'],
  refetchOnWindowFocus: false,
  initialPageParam: { after: null } as From,
  queryFn: ({ signal, pageParam }) => readPage(pageParam, signal),
  getNextPageParam: ({ next }, pages) => (pages.length < maxPages ? next : null),
})

/** One group, which a link names; null if it is not to be decided any more. */
export const groupQuery = (key: string) =>
  queryOptions({
    queryKey: ['publications', 'duplicates', key],
    queryFn: async ({ signal }) => {
      const { groups } = await readPage({ after: null }, signal, { duplicate_key: key })
      return groups.find(({ ids }) => ids.length > 1) ?? null
    },
  })

/** Reads until at least one group is whole, and hands the last one over to the next page. */
async function readPage({ after, begun }: From, signal: AbortSignal, only = {}): Promise<Page> {
  const found = new Map(begun && [[begun.key, begun]])
  let next = after
  do {
    const params = { query: { ...query, ...only, ...(next !== null && { after: next }) } as never }
    const { data, meta } = await got(api.GET('/api/v1/admin/publications', { signal, params }))
    for (const row of data) add(found, row)
    next = meta.next
  } while (next !== null && found.size < 2)
  const groups = [...found.values()]
  return next === null
    ? { groups, next }
    : { groups: groups.slice(0, -1), next: { after: next, begun: groups.at(-1) } }
}

function add(groups: Map<string, Group>, row: ListedPublication): void {
  const key = row.duplicate_key ?? ''
  const { members, ids }: Pick<Group, 'members' | 'ids'> = groups.get(key) ?? { members: [], ids: [] }
  // A group moves if its first member is rejected meanwhile: its rows may come again.
  if (ids.includes(row.id)) return
  groups.set(key, {
    key,
    reason: row.duplicate_reason ?? 'signature',
    members: members.length < maxMembers ? [...members, row] : members,
    ids: [...ids, row.id],
  })
}

/** Loaded groups, and whether there are no others. */
export function loadedGroups(data: { pages: readonly Page[] } | undefined) {
  const groups = (data?.pages ?? []).flatMap((page) => page.groups)
  return {
    groups: [...new Map(groups.map((group) => [group.key, group])).values()].filter(
      ({ ids }) => ids.length > 1,
    ),
    isWhole: data?.pages.at(-1)?.next === null,
  }
}

export const keepOne = (kept: string, reject: readonly string[], why: Why) =>
  got(
    api.POST('/api/v1/admin/publications/{id}/keep', {
      params: { path: { id: kept } },
      body: { reject: [...reject], ...why },
    }),
  )

export const distinguish = (ids: readonly string[]) =>
  got(api.PATCH('/api/v1/admin/publications/bulk/distinguish', { body: { ids: [...ids] } }))
