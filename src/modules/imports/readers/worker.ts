import { workerData } from 'node:worker_threads'
import { handleRequests } from '../../../platform/thread.ts'
import type { ReadItem } from './item.ts'
import { type ReadInput, readItems } from './read.ts'
import { ReadFailed } from './read-failed.ts'

/** Runs in its own thread: returns one batch per request, null at the end. */
const batches = readItems(workerData as ReadInput)

handleRequests<'next', ReadItem[] | null>(
  async () => {
    const { value, done } = await batches.next()
    return done ? null : value
  },
  (error) => (error instanceof ReadFailed ? error.message : null),
)
