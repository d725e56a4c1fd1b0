import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filledDataDir } from './filled.ts'
import { callCommunes } from './moments.ts'
import { killPostgres } from './postgres.ts'
import { cleanUp, endedWell, isRoot, makeFolder, startService, stop, timeoutMs, until } from './service.ts'

const MB = 1_048_576
const disk = isRoot ? mountDisk() : null
const dataDir = join(`${disk}`, 'data')
const filler = join(`${disk}`, 'filler')

afterAll(async () => {
  if (disk === null) return cleanUp()
  killPostgres(dataDir, { whole: true })
  spawnSync('umount', ['-l', disk])
  await cleanUp()
}, timeoutMs)

test.skipIf(disk === null)(
  'on a filling disk writes are refused before PostgreSQL fails, and accepted again when there is space',
  { timeout: 2 * timeoutMs },
  async () => {
    await filledDataDir(dataDir)
    const service = startService({ dataDir, env: { SEED: 'none', RATE_LIMIT_CLAIM: 'off' } })
    const url = await service.ready
    const write = async () => {
      const headers = { 'x-app-source': 'public', 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/v1/claims`, { method: 'POST', headers, body: '{}' })
      return { status: answer.status, message: ((await answer.json()) as { message: string }).message }
    }
    const untilWriteAnswers = (wanted: number) =>
      until(async () => (await write()).status === wanted, service)
    await untilWriteAnswers(422)

    fillDisk(100 * MB)
    await untilWriteAnswers(503)
    expect((await write()).message).toContain('The disk is full: reading works')
    await until(async () => (await callCommunes(url)).status === 200, service)
    rmSync(filler)
    await untilWriteAnswers(422)
    // A log line is written a moment after its event.
    const lines = () => service.state.out.split('\n').filter((line) => line.includes('the disk '))
    await until(() => lines().length > 1, service)
    expect(lines().map((line) => JSON.parse(line).msg)).toEqual([
      'the disk is full: writes are refused, jobs wait, reads work',
      'the disk has free space again: writes are accepted',
    ])
    expect(await stop(service)).toEqual(endedWell)
  },
)

test.skipIf(disk === null).each([
  ['with a database that is there', dataDir, 0],
  ['before its database is made', join(`${disk}`, 'unmade'), 30 * MB],
  ['before its database is loaded', join(`${disk}`, 'empty'), 75 * MB],
])('a start on a full disk names the disk, %s', { timeout: timeoutMs }, async (_when, folder, free) => {
  fillDisk(free)
  const service = startService({ dataDir: folder, env: { SEED: 'none' } })
  expect(await service.ended).toEqual({ status: 1, signal: null })
  expect(service.state.err).toBe(`The disk of ${folder} is full: free some space on it, and start again.\n`)
  rmSync(filler)
  if (folder !== dataDir) rmSync(folder, { recursive: true })
})

/** Leaves so many bytes free. */
function fillDisk(free: number): void {
  const { bavail, bsize } = statfsSync(`${disk}`)
  expect(spawnSync('fallocate', ['-l', `${bavail * bsize - free}`, filler]).status).toBe(0)
}

/** 900 MB in memory, as far as it is used. */
function mountDisk(): string | null {
  const folder = makeFolder()
  const options = ['-t', 'tmpfs', '-o', 'size=900m,mode=0755', 'tmpfs', folder]
  return spawnSync('mount', options).status === 0 ? folder : null
}
