import { batch } from './list-page.ts'

/**
 * Shares the pages of a list that is the same for all who may read it. While a page is read, requests for the same page
 * wait for the next read, which all of them share: after each change, the browsers of all colleagues ask for the same
 * page at once. A read begins after it was requested, so that everybody sees their own changes.
 */
export function sharedPages<Query extends object, Page>(
  read: (query: Query) => Promise<Page>,
): (query: Query) => Promise<Page> {
  const underWay = new Map<string, { ended: Promise<void>; next: Promise<Page> | null }>()

  function begin(key: string, query: Query): Promise<Page> {
    const found = read(query)
    const ended = found.then(
      () => end(key),
      () => end(key),
    )
    underWay.set(key, { ended, next: null })
    return found
  }
  function end(key: string): void {
    if (underWay.get(key)?.next === null) underWay.delete(key)
  }
  return (query) => {
    // The batches of an export are read once.
    if (batch in query) return read(query)
    const key = JSON.stringify(query)
    const now = underWay.get(key)
    if (now === undefined) return begin(key, query)
    now.next ??= now.ended.then(() => begin(key, query))
    return now.next
  }
}
