import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filledDataDir } from './filled.ts'
import { postgresPids } from './postgres.ts'
import {
  cleanUp,
  endedWell,
  fetchServed,
  makeFolder,
  startService,
  stop,
  systemPath,
  timeoutMs,
  until,
} from './service.ts'

afterAll(cleanUp, timeoutMs)

test('with Type=notify the service reports that it is ready and that it stops; its PostgreSQL does not', {
  timeout: timeoutMs,
}, async () => {
  const folder = makeFolder()
  const notes = join(folder, 'notes')
  // Stands for systemd's own command.
  const script = `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> '${notes}'\nexit 1\n`
  writeFileSync(join(folder, 'systemd-notify'), script, { mode: 0o755 })
  const noted = () => (existsSync(notes) ? readFileSync(notes, 'utf8') : '')
  const env = { PATH: `${folder}:${systemPath}`, NOTIFY_SOCKET: '/run/systemd/notify', SEED: 'none' }
  const dataDir = await filledDataDir()
  const service = startService({ dataDir, env })
  await until(() => noted() !== '', service)
  expect(noted()).toBe('/run/systemd/notify READY=1\n')
  const url = await service.ready
  expect((await fetchServed(`${url}/readyz`)).status).toBe(200)
  const [postmaster] = postgresPids(dataDir)
  expect(readFileSync(`/proc/${postmaster}/environ`, 'utf8')).not.toContain('NOTIFY_SOCKET')
  expect(await stop(service)).toEqual(endedWell)
  expect(noted()).toBe('/run/systemd/notify READY=1\n/run/systemd/notify STOPPING=1\n')
  expect(service.state.out).toContain('systemd could not be notified')
  // The greeting is on standard error.
  for (const line of service.state.out.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('level')
  expect(service.state.greeting).toContain('Parvis answers at')
})
