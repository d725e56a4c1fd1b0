import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findCommitBefore, migrationsFolder, runOnMigrated } from './code-before.ts'
import { cleanUp, ownCheckout, patienceMs } from './service.ts'

afterAll(cleanUp, patienceMs)

/**
 * While a new version starts, instances of the one before go on, on tables that have changed. So the tests of the commit
 * before each migration run on a database that has it. From 0022 on: those up to 0012 were made before there was any
 * version but one, and 0013 to 0021 came side by side, so that none of them has a code before it that ever ran alone.
 */
const heldFrom = '0022'
/** Those before have been tried, and their code before runs nowhere any more. */
const mostTried = 5

const isLong = Boolean(process.env.PARVIS_TEST_LONG)
const head = isLong ? findCommitBefore('a file that nobody has added') : null
const timeout = 1_200_000

const migrations = readdirSync(join(ownCheckout, migrationsFolder))
  .filter((file) => file >= heldFrom)
  .slice(-mostTried)
  .map((file) => ({ file, commit: head && findCommitBefore(`${migrationsFolder}/${file}`) }))

if (head === null || migrations.length === 0)
  test.skip(
    `with a git history, in the long form, each migration from ${heldFrom} on is tried with the code before it`,
  )

test.runIf(head !== null).each(migrations)(
  'the code before $file works on a database that has it',
  { timeout },
  async ({ file, commit }) => {
    const statements = readFileSync(join(ownCheckout, migrationsFolder, file), 'utf8')
    const { status, said } = await runOnMigrated({ commit: commit ?? '', migrations: { [file]: statements } })
    expect(status, said).toBe(0)
  },
)

const planted = { commit: head ?? '', only: ['test/contract/audit-trail.test.ts'] }

test.runIf(head !== null)(
  'a migration that only adds leaves the code before it working',
  { timeout },
  async () => {
    const statements = 'alter table communes add column motto text;'
    const { status, said } = await runOnMigrated({ ...planted, migrations: { '9001-adds.sql': statements } })
    expect(status, said).toBe(0)
  },
)

test.runIf(head !== null)('a migration that takes a column away is found out', { timeout }, async () => {
  const statements = 'alter table elus drop column fonction cascade;'
  const { status, said } = await runOnMigrated({ ...planted, migrations: { '9001-takes.sql': statements } })
  expect(status).not.toBe(0)
  expect(said).toMatch(/column .*fonction.* does not exist/)
})
