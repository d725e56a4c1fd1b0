import { parentPort, workerData } from 'node:worker_threads'
import { type ReadInput, readItems } from './read.ts'
import type { Answer } from './read-apart.ts'
import { ReadFailed } from './read-failed.ts'

/** In a thread of its own: reads a batch each time it is asked for one. */
const batches = readItems(workerData as ReadInput)

const say = (answer: Answer) => parentPort?.postMessage(answer)

parentPort?.on('message', async () => {
  try {
    const { value, done } = await batches.next()
    say({ batch: done ? null : value })
  } catch (error) {
    say(error instanceof ReadFailed ? { failed: error.message } : { stumbled: error })
  }
})
