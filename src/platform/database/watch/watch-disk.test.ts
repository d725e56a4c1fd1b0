import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { createRegistry } from '../../http/operation/metrics.ts'
import { type WriteState, watchDisk } from './watch-disk.ts'

const MB = 1_048_576

/** Opens the app with a simulated amount of free disk space. */
async function openOnDisk() {
  const writeState: WriteState = { writesRefused: null }
  const lines: unknown[] = []
  const log = {
    warn: (about: object, message: string) => lines.push({ ...about, message }),
    info: (about: object, message: string) => lines.push({ ...about, message }),
  }
  const jobs = { pause: async () => void lines.push('pause'), resume: async () => void lines.push('resume') }
  let free = 900
  const look = async () => ({ bavail: free * MB, bsize: 1 })
  onTestFinished(watchDisk({ folder: '/data', writeState, jobs, log }, { look, everyMs: 1 }))
  const set = async (mb: number, refused: boolean) => {
    free = mb
    await vi.waitFor(() => expect(writeState.writesRefused !== null).toBe(refused), { timeout: 30_000 })
  }
  const registry = createRegistry()
  const figure = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await registry.metrics())?.[1])
  return { ...(await openWorld({ writeState, registry })), lines, set, figure }
}

test('on a full disk writes return 503 with the reason, reads work, and writes recover automatically', async () => {
  const { send, get, lines, set, figure } = await openOnDisk()
  expect([await figure('writes_refused'), await figure('writes_refused_total')]).toEqual([0, 0])
  expect((await send('POST', '/claims', {})).status).toBe(422)
  await set(200, true)
  for (const [method, path] of [
    ['POST', '/claims'],
    ['PATCH', '/admin/acteurs/1'],
    ['DELETE', '/admin/acteurs/1'],
  ] as const) {
    const refused = await send(method, path, {})
    expect(refused).toBeError(503, 'unavailable')
    expect(refused.body.message).toBe('The disk is full: reading works, writing does not for now.')
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.headers.get('cache-control')).toBe('no-store')
  }
  const french = await send('POST', '/claims', {}, { headers: { 'accept-language': 'fr' } })
  expect(french.body.message).toMatch(/^Le disque est plein/)
  expect([await figure('writes_refused'), await figure('writes_refused_total')]).toEqual([1, 4])
  expect((await get('/communes')).status).toBe(200)
  expect((await send('HEAD', '/communes')).status).toBe(200)
  await set(900, false)
  expect((await send('POST', '/claims', {})).status).toBe(422)
  expect(lines).toEqual([
    'pause',
    {
      folder: '/data',
      free_mb: 200,
      message: 'the disk is full: writes are refused, jobs wait, reads work',
    },
    'resume',
    { folder: '/data', free_mb: 900, message: 'the disk has free space again: writes are accepted' },
  ])
})
