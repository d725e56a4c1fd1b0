import { useQueryClient } from '@tanstack/react-query'
import { methodsQuery } from '../api/auth.ts'
import { meQuery, readAfresh } from '../api/queries.ts'
import { useNotes } from './mail-place.tsx'

/** Asks anew how mails leave, for whoever has just caused one, and returns what to say of it. */
export function useFreshMailNote(): () => Promise<string | null> {
  const placeOf = useNotes()
  const client = useQueryClient()
  return async () => {
    const known = client.getQueryData(meQuery.queryKey)
    const me = known && (await readAfresh(client, meQuery).catch(() => known))
    const methods = me ? undefined : await readAfresh(client, methodsQuery).catch(() => undefined)
    return placeOf(me, methods).note
  }
}
