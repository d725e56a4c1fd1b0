import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { isRoot, makeFolder, removeFolders } from '../cluster/cluster.test-kit.ts'
import { watchFreeSpace } from './free-space.ts'

afterAll(removeFolders)

const MB = 1_048_576

/** Records what the watch reports for these amounts of free space (null: cannot be read). */
function watchInjected(freeMb: (number | null)[]) {
  const said: string[] = []
  const seen = Promise.withResolvers<void>()
  const stop = watchFreeSpace({
    folder: '/somewhere',
    onLow: (bytes) => said.push(`low ${bytes / MB}`),
    onRecovered: (bytes) => said.push(`recovered ${bytes / MB}`),
    everyMs: 1,
    look: async (folder) => {
      expect(folder).toBe('/somewhere')
      const free = freeMb.shift()
      if (free === undefined) seen.resolve()
      if (free === undefined || free === null) throw new Error('no answer')
      return { bavail: free * 256, bsize: 4_096 }
    },
  })
  onTestFinished(stop)
  return { said, seen: seen.promise }
}

test('reports once that space falls below the minimum, and once that it has recovered', async () => {
  const { said, seen } = watchInjected([900, 256, 255, 100, 300, 255, 319, 320, 900, 255])
  await seen
  expect(said).toEqual(['low 255', 'recovered 320', 'low 255'])
})

test('a failed check changes nothing', async () => {
  const { said, seen } = watchInjected([null, 200, null, null, 900, null])
  await seen
  expect(said).toEqual(['low 200', 'recovered 900'])
})

test('the watch checks immediately, keeps no process alive, and stops', async () => {
  const script = `
    import { watchFreeSpace } from ${JSON.stringify(join(import.meta.dirname, 'free-space.ts'))}
    const say = () => process.stdout.write('low ')
    watchFreeSpace({ folder: '/', floorBytes: Infinity, onLow: say, onRecovered: say })
    const stop = watchFreeSpace({ folder: '/', floorBytes: Infinity, everyMs: 0, onLow: say, onRecovered: say })
    stop()`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script])
  expect([status, `${stdout}`]).toEqual([0, 'low '])
})

const disk = isRoot ? mountSmallDisk() : null

test.skipIf(disk === null)(
  'detects a real disk that fills up and is cleared (skipped if none can be mounted)',
  async () => {
    const said: string[] = []
    const folder = `${disk}`
    onTestFinished(
      watchFreeSpace({
        folder,
        floorBytes: 4 * MB,
        everyMs: 10,
        onLow: () => said.push('low'),
        onRecovered: () => said.push('recovered'),
      }),
    )
    writeFileSync(join(folder, 'filler'), Buffer.alloc(6 * MB))
    await vi.waitFor(() => expect(said).toEqual(['low']), { timeout: 30_000 })
    rmSync(join(folder, 'filler'))
    await vi.waitFor(() => expect(said).toEqual(['low', 'recovered']), { timeout: 30_000 })
  },
)

/** 8 MB in memory. */
function mountSmallDisk(): string | null {
  const folder = makeFolder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]).status !== 0) return null
  afterAll(() => void spawnSync('umount', ['-l', folder]))
  return folder
}
