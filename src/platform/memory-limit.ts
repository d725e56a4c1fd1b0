import { Worker } from 'node:worker_threads'
import { dropPermission } from './confined-process.ts'

/**
 * Ends this process when it takes more memory, of which most may lie outside the heap of JavaScript. The thread that watches
 * it goes on while a library keeps the process from anything else, and is the last that a confined process starts.
 */
export function limitMemory(maxBytes: number): void {
  const watch = `setInterval(() => {
    if (process.memoryUsage.rss() > ${maxBytes}) process.kill(process.pid, 'SIGKILL')
  }, 20)`
  new Worker(watch, { eval: true }).unref()
  dropPermission('worker')
}
