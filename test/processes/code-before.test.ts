import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findCommitBefore, migrationsFolder, runOnMigrated } from './code-before.ts'
import { cleanUp, ownCheckout, timeoutMs } from './service.ts'

afterAll(cleanUp, timeoutMs)

/**
 * While a new version starts, instances of the previous one keep running on the migrated tables. So the tests of the
 * commit before each migration run on a database that has it. The files before 0100
 * are the baseline, which is applied to empty databases only.
 */
const heldFrom = '0100'
/** Earlier migrations were tested, and the code before them is no longer in use. */
const maxTried = 5

const isLong = Boolean(process.env.PARVIS_TEST_LONG)
const head = isLong ? findCommitBefore('a file that nobody has added') : null
const timeout = 1_200_000

const migrations = readdirSync(join(ownCheckout, migrationsFolder))
  .filter((file) => file >= heldFrom)
  .slice(-maxTried)
  .map((file) => ({ file, commit: head && findCommitBefore(`${migrationsFolder}/${file}`) }))

if (head === null || migrations.length === 0)
  test.skip(
    `with a git history, in the long run, each migration from ${heldFrom} on is tested with the previous code`,
  )

test.runIf(head !== null).each(migrations)(
  'the code before $file works on a database with that migration',
  { timeout },
  async ({ file, commit }) => {
    const statements = readFileSync(join(ownCheckout, migrationsFolder, file), 'utf8')
    const { status, said } = await runOnMigrated({ commit: commit ?? '', migrations: { [file]: statements } })
    expect(status, said).toBe(0)
  },
)

const planted = { commit: head ?? '', only: ['test/contract/audit-log.test.ts'] }

test.runIf(head !== null)(
  'a migration that only adds keeps the previous code working',
  { timeout },
  async () => {
    const statements = 'alter table communes add column motto text;'
    const { status, said } = await runOnMigrated({ ...planted, migrations: { '9001-adds.sql': statements } })
    expect(status, said).toBe(0)
  },
)

test.runIf(head !== null)('detects a migration that drops a column', { timeout }, async () => {
  const statements = 'alter table elus drop column fonction cascade;'
  const { status, said } = await runOnMigrated({ ...planted, migrations: { '9001-takes.sql': statements } })
  expect(status).not.toBe(0)
  expect(said).toMatch(/column .*fonction.* does not exist/)
})
