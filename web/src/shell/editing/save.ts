import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { isStatus } from '../../api/failure.ts'
import { readAfresh } from '../../api/queries.ts'

/** A colleague meanwhile changed what the draft is about. */
export class Overtaken extends Error {}

/**
 * Saves a draft. `save` sends it with the version of the newest data that is known, or throws `Overtaken` if that is
 * no longer what the user saw: it is then read again, and the form shows the conflict. A change of something else by a
 * colleague is no conflict: the data is read, and the save repeated.
 */
export async function saveNewest<Data, Key extends QueryKey, Saved>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
  save: (newest: Data) => Promise<Saved>,
): Promise<Saved> {
  for (let attempt = 1; ; attempt++) {
    const newest = await client.ensureQueryData(query)
    try {
      return await save(newest)
    } catch (error) {
      const isOutdated = isStatus(error, 412)
      // Without a network the read fails too: a paused one would repeat the save later, after a cancellation.
      if (isOutdated || error instanceof Overtaken)
        await readAfresh(client, { ...query, networkMode: 'always' })
      if (!isOutdated || attempt === 5) throw error
    }
  }
}
