import { useQuery, useQueryClient } from '@tanstack/react-query'
import { newestPublicationQuery, publicationQuery, type Reported } from '../queries.ts'

/**
 * A publication as it was opened. A newer version is announced and never put under somebody's eyes; what changes without
 * one, such as its reports, is shown as it comes.
 */
export function useOpened(id: string) {
  const client = useQueryClient()
  const opened = useQuery(publicationQuery(id))
  const { data: newest } = useQuery({ ...newestPublicationQuery(id), enabled: opened.isSuccess })
  const ahead = newest && opened.data ? newest.version - opened.data.version : 0
  const publication: Reported | undefined = ahead === 0 ? (newest ?? opened.data) : opened.data
  return {
    ...opened,
    publication,
    /** Somebody else's version; null while both are loaded anyway. */
    newer: newest && ahead > 0 && !opened.isFetching ? newest : null,
    showNewer: () => client.setQueryData(publicationQuery(id).queryKey, newest),
  }
}
