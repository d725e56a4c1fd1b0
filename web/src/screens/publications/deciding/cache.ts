import { hashKey, type QueryClient } from '@tanstack/react-query'
import { notesQuery, presenceQuery } from '../../../shell/records/colleagues/queries.ts'
import { type ListedPublication, newestPublicationQuery, publicationQuery, similarQuery } from '../queries.ts'

/** Reloads what is on the screen and evicts the rest: a decision needs the current version. */
export async function reload(client: QueryClient, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    client.removeQueries({ queryKey: publicationQuery(id).queryKey, type: 'inactive', exact: true })
  await client.invalidateQueries({ queryKey: ['publications'] })
}

/** Evicts what was read of decided records: nobody opens them again, and a day of decisions would fill the memory. */
export function evict(client: QueryClient, ids: readonly string[]): void {
  const keys = ids.flatMap((id) => [
    publicationQuery(id).queryKey,
    newestPublicationQuery(id).queryKey,
    similarQuery(id).queryKey,
    notesQuery('publication', id).queryKey,
    presenceQuery('publication', id).queryKey,
  ])
  // One search of the cache for all of them.
  const hashes = new Set(keys.map(hashKey))
  client.removeQueries({ type: 'inactive', predicate: ({ queryHash }) => hashes.has(queryHash) })
}

/** Returns the record on the screen, which may be newer than its row in the list. */
export function latestOf(client: QueryClient, row: ListedPublication): ListedPublication {
  return client.getQueryData(publicationQuery(row.id).queryKey) ?? row
}
