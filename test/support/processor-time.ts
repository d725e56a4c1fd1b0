import { readFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'

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

// Declared before its first use, which this file makes while it is read.
const msPerTick = 10

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
  return (user + system) / 1_000 + msOfChildren()
}

/** Processor time of children that have ended; 0 where the system does not tell it. */
function msOfChildren(): number {
  if (process.platform !== 'linux') return 0
  return childrenMs(readFileSync('/proc/self/stat', 'utf8'))
}

/** Fields 16 and 17 of `/proc/<pid>/stat`, after the name in parentheses, which may contain spaces. */
function childrenMs(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * msPerTick
}
