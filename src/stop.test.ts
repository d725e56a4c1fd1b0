// Round: rest, because it starts services as processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const stop = resolve(import.meta.dirname, 'stop.ts')

/** Runs a process that opens two resources and is stopped once both are open. */
async function stopped(closeSecond: string, closeFirst = "process.stdout.write('first closed')") {
  const script = `
    import { runUntilStopped } from ${JSON.stringify(stop)}
    await runUntilStopped(async (opened, stop) => {
      opened(() => { return ${closeFirst} })
      opened(() => { ${closeSecond} })
      setInterval(() => {}, 1_000)
      process.stdout.write('open ')
      return async () => process.stdout.write(stop.signal + ' announced, ')
    }, { closingMs: 500 })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let [out, err] = ['', '']
  child.stderr.on('data', (text) => {
    err += text
  })
  child.stdout.on('data', (text) => {
    if (out === '') child.kill('SIGTERM')
    out += text
  })
  const [status] = await once(child, 'close')
  return { status, out, err }
}

test('announces a signal, closes what was opened and exits with 0', async () => {
  expect(await stopped('')).toEqual({ status: 0, out: 'open SIGTERM announced, first closed', err: '' })
})

test('a resource that fails to close is reported and does not prevent the others from closing', async () => {
  expect(await stopped("throw new Error('stuck')")).toEqual({
    status: 1,
    out: 'open SIGTERM announced, first closed',
    err: 'While closing: stuck\n',
  })
})

test('a failure is not forgotten when another resource takes too long to close', async () => {
  const { status, err } = await stopped("throw new Error('stuck')", 'new Promise(() => {})')
  expect([status, err]).toEqual([1, 'While closing: stuck\n'])
})
