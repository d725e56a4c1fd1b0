import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { hasPgBouncer, openPgBouncer } from '../platform/database/pgbouncer.test-kit.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'
import { openCommandWorld, urlOf } from './command.test-kit.ts'
import { run } from './retention.ts'

const world = await openWorld()
const { db, acteur } = world
const { call, env, named } = await openCommandWorld(world, run)
const ended_at = new Date()
ended_at.setUTCFullYear(ended_at.getUTCFullYear() - 1)
const claim = { id: uuidv7(), acteur_id: (await acteur()).id, message: 'Non', status: 'rejected', ended_at }
await db.insertInto('claims').values(claim).execute()
const message = async () =>
  (await db.selectFrom('claims').select('message').where('id', '=', claim.id).executeTakeFirstOrThrow())
    .message

test('a dry run reports the rows to delete, and a run deletes them', async () => {
  const given = { ...env, RETENTION_CLAIMS: '6' }
  expect(await call('')).toMatchObject({
    stdout: expect.stringContaining('claims: 0 (RETENTION_CLAIMS, 24 months)\n'),
  })
  const line = 'claims: 1 (RETENTION_CLAIMS, 6 months)\n'
  const tried = await call('--dry-run', given)
  expect(tried).toMatchObject({ code: 0, stderr: named, stdout: expect.stringContaining(line) })
  expect(tried.stdout).toMatch(/dry run\.\n$/)
  expect(await message()).toBe('Non')
  expect((await call('', given)).stdout).toContain(line)
  expect(await message()).toBe('')
})

test.skipIf(!hasPgBouncer)('a command works through PgBouncer (skipped without it)', async () => {
  const pooler = await openPgBouncer(world.database.service, { pool_mode: 'transaction' })
  const given = { ...env, DATABASE_URL: urlOf(pooler) }
  expect(await call('--dry-run', given)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/dry run\.\n$/),
  })
})

test('--help prints the usage, and unknown arguments are refused', async () => {
  expect(await call('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--dry-run') })
  expect(await call('--now')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Unknown option '--now'"),
  })
})
