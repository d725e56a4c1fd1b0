import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { openS3 } from '../modules/media/store/s3-server.test-kit.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './media.ts'

const s3 = await openS3()
const world = await openWorld({ env: s3.env })
const { db } = world
const { call, refusal, env } = await openCommandWorld(world, run)
const intoStore = { ...env, ...s3.env }
const intoDatabase = { ...intoStore, MEDIA_STORE: 'database' }

const places = async () => {
  const { rows } = await sql<{ here: number; there: number; objects: number }>`
    select count(content)::int as here, count(object)::int as there,
      (select count(*)::int from media_objects) as objects from media_variants`.execute(db)
  return rows[0]
}
const contents = async () =>
  (
    await sql<{
      content: string
    }>`select encode(content, 'hex') as content from media_variants order by sha256`.execute(db)
  ).rows

const count = 20

beforeEach(async () => {
  s3.behave(null)
  s3.objects.clear()
  await sql`delete from media_variants`.execute(db)
  await sql`delete from media_objects`.execute(db)
  await sql`
    insert into media_variants (sha256, width, format, bytes, content)
    select lpad(n::text, 64, '0'), 400, 'jpeg', 3, decode('aabb' || lpad(n::text, 2, '0'), 'hex')
    from generate_series(1, ${count}) n`.execute(db)
})

test('moves all bytes to the store and back, and does nothing when it is repeated', async () => {
  const before = await contents()
  const said = (stdout: string) => expect.objectContaining({ code: 0, stdout })
  for (let time = 0; time < 2; time++) {
    expect(await call('move --to s3', intoStore)).toEqual(
      said('In the database: 0 files. In the store: 20.\n'),
    )
    expect(await places()).toEqual({ here: 0, there: count, objects: count })
    expect(s3.objects.size).toBe(count)
  }
  for (let time = 0; time < 2; time++) {
    expect(await call('move --to database', intoDatabase)).toEqual(
      said('In the database: 20 files. In the store: 0.\n'),
    )
    expect(await places()).toEqual({ here: count, there: 0, objects: 0 })
    expect(s3.objects.size).toBe(0)
  }
  expect(await contents()).toEqual(before)
})

test.each([
  ['s3', 'PUT', intoStore],
  ['s3', 'GET', intoStore],
  ['database', 'GET', intoDatabase],
  ['database', 'DELETE', intoDatabase],
])(
  'killed while it moves to %s, at a %s, it loses nothing and goes on',
  { timeout: 60_000 },
  async (to, method, own) => {
    const before = await contents()
    if (to === 'database') await call('move --to s3', intoStore)
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    let left = 7
    // It never answers the eighth.
    s3.behave((asked) => {
      if (asked !== method || left-- > 0) return false
      reach()
      return true
    })
    const child = spawn(process.execPath, ['bin/parvis-cli.js', 'media', 'move', '--to', to], {
      env: { ...process.env, ...own },
      stdio: 'ignore',
    })
    await reached
    child.kill('SIGKILL')
    await once(child, 'exit')
    const between = await places()
    expect((between?.here ?? 0) + (between?.there ?? 0)).toBe(count)
    s3.behave(null)
    expect((await call(`move --to ${to}`, own)).code).toBe(0)
    expect(await places()).toMatchObject(to === 's3' ? { here: 0, there: count } : { here: count, there: 0 })
    if (to === 's3') await call('move --to database', intoDatabase)
    expect(await contents()).toEqual(before)
    // An object whose row says that it may still be written is deleted after an hour.
    await sql`update media_objects set created_at = now() - interval '2 hours'`.execute(db)
    await call('move --to database', intoDatabase)
    expect(s3.objects.size).toBe(0)
  },
)

test('names what the store lost or changed, and brings the rest back', async () => {
  await call('move --to s3', intoStore)
  const [lost = '', changed = ''] = s3.objects.keys()
  s3.objects.delete(lost)
  s3.objects.set(changed, Buffer.from('xyz'))
  const { code, stdout, stderr } = await call('move --to database', intoDatabase)
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'In the database: 18 files. In the store: 2.\n' })
  expect(stderr).toMatch(
    /does not have [\w-]+\.\n.*returned other bytes for|returned other bytes for.*\n.*does not have/,
  )
})

test('a store that is down ends it with a sentence', async () => {
  s3.behave((_method, response) => !!response.writeHead(503).end())
  const { code, stderr } = await call('move --to s3', intoStore)
  expect(code).toBe(1)
  expect(stderr).toContain('The store of MEDIA_URL returned 503.')
})

test('says what is wrong with its arguments and settings', async () => {
  expect(await refusal('move')).toMatch(/move --to s3, or move --to database/)
  expect(await refusal('copy --to s3')).toMatch(/move --to s3/)
  expect(await refusal('move --to s3')).toBe('Set MEDIA_URL, as for the service.')
  expect((await call('move --to database', intoStore)).stderr).toMatch(
    /Set MEDIA_STORE=database, as for the service/,
  )
})
