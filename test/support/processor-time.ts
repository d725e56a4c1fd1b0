import { afterAll, beforeAll } from 'vitest'
import { msOfEndedChildren } from './proc-stat.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a file: its import, its tests and hooks, and the processes that it started. */
    processorMs?: number
  }
}

declare global {
  /** Ends the import of the file before: a worker imports several files, then runs their tests. */
  var endImport: (() => void) | undefined
}

globalThis.endImport?.()
const began = processorMs()
let importMs = 0
globalThis.endImport = () => {
  importMs = processorMs() - began
  globalThis.endImport = undefined
}

// A setup file runs before each test file: its first hook is the first, and its last one the last, as those run in reverse order.
let ran = 0
beforeAll(() => {
  globalThis.endImport?.()
  ran = processorMs()
})
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that a hook wants from its first pattern.
afterAll(({}, { file }) => {
  file.meta.processorMs = importMs + processorMs() - ran
})

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + msOfEndedChildren()
}
