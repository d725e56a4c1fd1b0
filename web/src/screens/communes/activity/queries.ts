import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../../api/api.generated.ts'
import { api, got } from '../../../api/client.ts'
import { perPage } from '../queries.ts'
import type { ActivitySearch } from './search.ts'

export type CommuneActivity = components['schemas']['CommuneActivity']

/** Returns the query of the list in the API. */
export const queryOf = ({ departement, messages, sort, after }: ActivitySearch) => ({
  per_page: perPage,
  ...(departement && { departement }),
  ...(messages && { messages: [messages === 'some'] }),
  ...(sort && { sort }),
  ...(after && { after }),
})

export const activityQuery = (search: ActivitySearch) => {
  const query = queryOf(search)
  return queryOptions({
    queryKey: ['communes', 'activity', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/api/v1/admin/communes/activity', { signal, params: { query } })),
  })
}
