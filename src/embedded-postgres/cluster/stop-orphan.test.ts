import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeFolder, removeFolders } from './cluster.test-kit.ts'
import { stopOrphan } from './stop-orphan.ts'

afterAll(removeFolders)

/** Starts a process with this name in this folder whose number is in a leftover postmaster.pid. */
async function leftBehind(data: string, name: string, cwd: string): Promise<ChildProcess> {
  const child = spawn('sleep', ['60'], { argv0: name, cwd, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  writeFileSync(join(data, 'postmaster.pid'), `${child.pid}\n${data}\n1\n5432\n../socket\n\n0 0\nready\n`)
  return child
}

test('stops a PostgreSQL that was left running on these files', async () => {
  const data = makeFolder()
  const said: string[] = []
  const orphan = await leftBehind(data, '/usr/lib/postgresql/bin/postgres', data)
  const exit = once(orphan, 'exit')
  await stopOrphan(data, (message) => said.push(message))
  await exit
  expect(said).toEqual(['Stopping the PostgreSQL that an earlier, killed service left behind'])
})

// On other systems the full command decides, which only PostgreSQL has.
test.runIf(process.platform === 'linux').each([
  ['another program in the same folder', 'sleep', true],
  ['a PostgreSQL of another folder', 'postgres', false],
])('leaves %s under the number of a leftover postmaster.pid alone', async (_, name, isHere) => {
  const data = makeFolder()
  const stranger = await leftBehind(data, name, isHere ? data : makeFolder())
  await stopOrphan(data, (message) => expect.unreachable(message))
  expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null])
})
