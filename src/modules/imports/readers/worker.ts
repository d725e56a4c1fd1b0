import { parentPort, workerData } from 'node:worker_threads'
import { type ReadInput, readItems } from './read.ts'
import { ReadFailed } from './read-failed.ts'

/** In a thread of its own: reads a batch each time it is asked for one. */
const batches = readItems(workerData as ReadInput)

parentPort?.on('message', async () => {
  try {
    const { value, done } = await batches.next()
    parentPort?.postMessage({ batch: done ? null : value })
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error
    parentPort?.postMessage({ failed: error.message })
  }
})
