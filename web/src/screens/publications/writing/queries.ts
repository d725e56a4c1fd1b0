import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'
import { atVersion } from '../../../api/versions.ts'
import { type ListedPublication, publicationQuery } from '../queries.ts'
import type { changesOf } from './changes.ts'

type Corrected = components['schemas']['CorrectedPublication']

/** A moderator removes an image, but chooses none. */
type Correction = Omit<ReturnType<typeof changesOf>, 'image_url'> & { image_url?: null; reason?: string }

/** Saves a correction. `seen`: the version on which it is based. */
export async function correct(id: string, seen: number, body: Correction) {
  const params = atVersion({ id, version: seen })
  return (await got(api.PATCH('/api/v1/admin/publications/{id}', { params, body: body as never }))).data
}

/** Updates a changed record in all cached lists without reloading them, so that nothing moves. */
export function showChanged(client: QueryClient, changed: Corrected): void {
  client.setQueryData(publicationQuery(changed.id).queryKey, (before) => before && { ...before, ...changed })
  const lists = { queryKey: ['publications'], predicate: isList }
  client.setQueriesData<{ data: ListedPublication[] }>(
    lists,
    (page) =>
      page && {
        ...page,
        data: page.data.map((row) => (row.id === changed.id ? { ...row, ...changed } : row)),
      },
  )
  for (const kind of ['history', 'similar', 'duplicates'])
    void client.invalidateQueries({ queryKey: ['publications', kind] })
}

const isList = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  ['queue', 'reports', 'list'].includes(String(queryKey[1]))

/** Where a commune is; null if the service does not know. */
export const centreQuery = (id: string) =>
  queryOptions({
    queryKey: ['communes', 'centre', id],
    queryFn: async ({ signal }) => {
      const params = { path: { slug: id } }
      const { data } = await got(api.GET('/api/v1/communes/{slug}', { signal, params }))
      const { latitude, longitude } = data
      return latitude === null || longitude === null ? null : { latitude, longitude }
    },
  })
