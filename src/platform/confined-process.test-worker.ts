import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { limitMemory } from './memory-limit.ts'

/** A confined process that was taken over: it tries what it is told, and says what came of it. */

limitMemory(600 * 2 ** 20)

const emitted = (emitter: NodeJS.EventEmitter, event: string) =>
  new Promise((resolve, reject) => {
    emitter.once(event, () => resolve(event))
    emitter.once('error', reject)
  })

const attempts: Record<string, (target: string) => unknown> = {
  read: (path) => readFileSync(path, 'utf8'),
  list: (path) => readdirSync(path),
  write: (path) => writeFileSync(path, 'x'),
  run: (program) => {
    const { error, status } = spawnSync(program)
    if (error) throw error
    return status
  },
  thread: (script) => emitted(new Worker(script, { eval: true }), 'exit'),
  connect: (target) =>
    emitted(/^\d+$/.test(target) ? connect(Number(target), '127.0.0.1') : connect(target), 'connect'),
  listen: (port) => emitted(createServer().listen(Number(port)), 'listening'),
  parent: () => readFileSync(`/proc/${process.ppid}/environ`, 'utf8'),
  environment: () => JSON.stringify(process.env),
}

process.on('disconnect', () => process.exit())
process.on('message', async ([what, target]: [string, string]) => {
  try {
    const result = await attempts[what]?.(target)
    process.send?.({ result: String(result) })
  } catch (error) {
    process.send?.({ error: String((error as NodeJS.ErrnoException).code ?? error) })
  }
})
process.send?.('ready')
