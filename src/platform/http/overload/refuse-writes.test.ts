import { expect, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { createLog } from '../../log/log.ts'

test('a refused write returns 503 with the reason, which its log line contains too', async () => {
  const lines: Record<string, unknown>[] = []
  const { get, post } = await openWorld({
    log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    writeState: { writesRefused: { en: 'The disk is full.', fr: 'Le disque est plein.' } },
  })
  expect((await get('/communes')).status).toBe(200)
  const refused = await post('/support/messages', {}, { headers: { 'accept-language': 'fr' } })
  expect(refused).toBeError(503, 'unavailable')
  expect(refused.body.message).toBe('Le disque est plein.')
  await vi.waitFor(
    () => expect(lines.find(({ status }) => status === 503)).toMatchObject({ reason: 'The disk is full.' }),
    { timeout: 30_000 },
  )
})
