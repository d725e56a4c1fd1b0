import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeFolder, removeFolders } from './cluster.test-kit.ts'
import { isLocked, takeLock } from './lock.ts'

afterAll(removeFolders)

test('a command that checks the lock, even a suspended one, does not block others', async () => {
  const file = join(makeFolder(), 'a lock')
  takeLock(file, 'LIBRARY_DIR')?.release()
  const script = `
    import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(${JSON.stringify(file)})
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    process.stdout.write('it looks')
    setTimeout(() => database.close(), 600)`
  const looking = spawn(process.execPath, ['--input-type=module', '-e', script])
  onTestFinished(() => void looking.kill('SIGKILL'))
  await once(looking.stdout, 'data')
  expect(isLocked(file)).toBe(false)
  const lock = takeLock(file, 'LIBRARY_DIR')
  expect(lock).not.toBe(null)
  expect(isLocked(file)).toBe(true)
  const begun = performance.now()
  expect(takeLock(file, 'LIBRARY_DIR')).toBe(null)
  // It has only looked; taking the lock waits three seconds.
  expect(performance.now() - begun).toBeLessThan(2_500)
  lock?.release()
  expect(isLocked(file)).toBe(false)
})
