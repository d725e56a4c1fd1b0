import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import type { WriteGate } from '../http/overload/write-gate.ts'
import { watchDisk } from './watch-disk.ts'

const MB = 1_048_576

/** The app on a disk that has as much room as is said. */
async function openOnDisk() {
  const gate: WriteGate = { writesRefused: null }
  const lines: unknown[] = []
  const log = {
    warn: (about: object, message: string) => lines.push({ ...about, message }),
    info: (about: object, message: string) => lines.push({ ...about, message }),
  }
  let free = 900
  const look = async () => ({ bavail: free * MB, bsize: 1 })
  onTestFinished(watchDisk({ folder: '/data', gate, log }, { look, everyMs: 1 }))
  const set = async (mb: number, refused: boolean) => {
    free = mb
    await vi.waitFor(() => expect(gate.writesRefused !== null).toBe(refused), { timeout: 30_000 })
  }
  return { ...(await openWorld({ writeGate: gate })), lines, set }
}

test('on a full disk writes answer 503 that says so, reads go on, and it recovers by itself', async () => {
  const { send, get, lines, set } = await openOnDisk()
  expect((await send('POST', '/claims', {})).status).toBe(422)
  await set(200, true)
  for (const [method, path] of [
    ['POST', '/claims'],
    ['PATCH', '/admin/acteurs/1'],
    ['DELETE', '/admin/acteurs/1'],
  ] as const) {
    const refused = await send(method, path, {})
    expect(refused).toBeError(503, 'unavailable')
    expect(refused.body.message).toBe(
      'The disk of the service is full: it can be read, but nothing can be written for now.',
    )
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.headers.get('cache-control')).toBe('no-store')
  }
  const french = await send('POST', '/claims', {}, { headers: { 'accept-language': 'fr' } })
  expect(french.body.message).toMatch(/^Le disque du service est plein/)
  expect((await get('/communes')).status).toBe(200)
  expect((await send('HEAD', '/communes')).status).toBe(200)
  await set(900, false)
  expect((await send('POST', '/claims', {})).status).toBe(422)
  expect(lines).toEqual([
    { folder: '/data', free_mb: 200, message: 'the disk is full: writes are refused, reads go on' },
    { folder: '/data', free_mb: 900, message: 'the disk has room again: writes are taken' },
  ])
})
