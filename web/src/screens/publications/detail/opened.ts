import { useQuery, useQueryClient } from '@tanstack/react-query'
import { newestPublicationQuery, publicationQuery, type ReportedPublication } from '../queries.ts'

/**
 * Keeps the version that the user opened. A newer version is announced, and shown on request only. Changes
 * that do not create a version, such as new reports, are shown immediately.
 */
export function useOpened(id: string) {
  const client = useQueryClient()
  const opened = useQuery(publicationQuery(id))
  const { data: newest } = useQuery({ ...newestPublicationQuery(id), enabled: opened.isSuccess })
  const ahead = newest && opened.data ? newest.version - opened.data.version : 0
  const publication: ReportedPublication | undefined = ahead === 0 ? (newest ?? opened.data) : opened.data
  return {
    ...opened,
    publication,
    /** Newer version; null if there is none, or while the opened one is being reloaded. */
    newer: newest && ahead > 0 && !opened.isFetching ? newest : null,
    showNewer: () => client.setQueryData(publicationQuery(id).queryKey, newest),
  }
}
