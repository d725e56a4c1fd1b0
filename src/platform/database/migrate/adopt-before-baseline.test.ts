import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase, run } from '../../../../test/support/world.ts'
import { dumpSchema } from '../../../../tools/dump-schema.ts'
import { StartError } from '../../config/start-error.ts'
import { checkBackup, restoreBackup } from '../backup/restore-backup.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { requirePrepared } from '../prepare.ts'
import { migrate, migrationsFolder } from './migrate.ts'

/** The migrations of the last version before the baseline. */
const former: Record<string, string> = JSON.parse(
  gunzipSync(readFileSync('test/support/before-baseline/migrations.json.gz')).toString(),
)
const last = '0352-lists-by-created-at'
/** Those of the version before it. */
const upTo0320 = Object.fromEntries(Object.entries(former).filter(([name]) => name < '0330'))
const versions = { 'up to 0352': former, 'up to 0320': upTo0320 }
/** The migrations after the baseline. */
const later = readdirSync(migrationsFolder)
  .map((file) => file.replace(/\.sql$/, ''))
  .filter((name) => name > '0400')
  .sort()
const further = { '0399-mottos': 'create table mottos ()' }

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-baseline-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function write(files: Record<string, string>, folder = makeFolder()) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.sql`), text)
  return folder
}

/** The migrations of this version and these. */
function present(files: Record<string, string>) {
  const folder = makeFolder()
  cpSync(migrationsFolder, folder, { recursive: true })
  return write(files, folder)
}

async function openEmpty() {
  const { name, owner, service, superuser } = await cloneDatabase()
  await run(superuser, `drop schema public, pgboss cascade; create schema public authorization ${owner.user}`)
  const start = (folder?: string) => migrate(owner, service.user ?? '', async () => {}, folder)
  return { owner: { ...owner, database: name }, service, superuser, start }
}

/** A database of the former version, with a row in each renamed table. */
async function openFormer(files = former) {
  const database = await openEmpty()
  await database.start(write(files))
  await run(
    database.service,
    `insert into kept_answers (key, body_digest, answer) values ('k', 'd', '{"b": 1, "a": 2}');
     update mail_notices set told_until = '2026-01-01T00:00Z'`,
  )
  return database
}

const rowsOf = async ({ service }: { service: Parameters<typeof run>[0] }) =>
  (
    await run(
      service,
      'select key, response::text, notified_until::timestamptz(0) from idempotent_responses, mail_notices',
    )
  ).rows
const kept = [{ key: 'k', response: '{"b": 1, "a": 2}', notified_until: new Date('2026-01-01T00:00Z') }]

/** What `dumpSchema` does not say: names of all constraints, storage, options, sequences, rights. */
async function detailsOf(connection: Parameters<typeof run>[0]) {
  const { rows } = await run(
    connection,
    `select conrelid::regclass::text || ' ' || conname || ' ' || convalidated as detail from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select concat_ws(' ', relname, relpersistence, reloptions, relacl) from pg_class
       where relnamespace = 'public'::regnamespace and relkind <> 'c'
     union all select concat_ws(' ', attrelid::regclass, attname, attstorage, attidentity, attcollation::regcollation)
       from pg_attribute join pg_class c on c.oid = attrelid
       where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
     union all select concat_ws(' ', tgname, tgenabled) from pg_trigger where not tgisinternal
     union all select concat_ws(' ', extname, extnamespace::regnamespace) from pg_extension
     union all select concat_ws(' ', objid::regclass, refobjid::regclass, refobjsubid) from pg_depend
       where classid = 'pg_class'::regclass and deptype in ('a', 'i') and refobjsubid > 0
         and objid in (select oid from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace)
     union all select concat_ws(' ', code, label) from app_sources
     union all select concat_ws(' ', id, slug, libelle, position) from publication_types
     order by detail`,
  )
  return rows.map(({ detail }) => detail)
}

test.each(Object.entries(versions))(
  'adopts a database with the migrations %s, which then equals a new one',
  async (_, files) => {
    const database = await openFormer(files)
    const { applied } = await database.start()
    expect(applied).toEqual(['baseline', ...later])
    const fresh = await openEmpty()
    await fresh.start()
    expect(await dumpSchema(database.owner)).toBe(await dumpSchema(fresh.owner))
    expect(await detailsOf(database.owner)).toEqual(await detailsOf(fresh.owner))
    expect(await rowsOf(database)).toEqual(kept)
    const recorded =
      'select name, digest from kysely_migration join migration_digests using (name) order by name'
    expect((await run(database.owner, recorded)).rows).toEqual((await run(fresh.owner, recorded)).rows)
    expect((await database.start()).applied).toEqual([])
  },
)

test('a service without the owner role refuses to start before the adoption, and starts after it', async () => {
  const database = await openFormer()
  const check = () => requirePrepared(database.service, [], () => {})
  await expect(check()).rejects.toThrow('run "npm run migrate" with MIGRATE_DATABASE_URL')
  await database.start()
  await check()
})

test('when two instances start at once, one adopts and the other waits', async () => {
  const { start } = await openFormer()
  const both = await Promise.all([start(), start()])
  expect(both.map(({ applied }) => applied).sort()).toEqual([[], ['baseline', ...later]])
})

test('keeps migrations that the former version applied after the baseline, and applies later ones', async () => {
  const { owner, start } = await openFormer({ ...former, ...further })
  const more = { '9001-more': 'create table more ()' }
  expect((await start(present({ ...further, ...more }))).applied).toEqual(['baseline', ...later, '9001-more'])
  expect((await start(present({ ...further, ...more }))).applied).toEqual([])
  const { rows } = await run(owner, "select name from kysely_migration where name > '0100' order by name")
  expect(rows.map(({ name }) => name)).toEqual(['0399-mottos', ...later, '9001-more'])
})

test('refuses a database of an earlier version, or of altered migrations, and changes nothing', async () => {
  const { [last]: _, ...earlier } = former
  for (const files of [earlier, { ...former, [last]: `${former[last]}-- altered` }]) {
    const { owner, start } = await openFormer(files)
    const before = await dumpSchema(owner)
    const refusal = expect(start()).rejects
    await refusal.toBeInstanceOf(StartError)
    await expect(start()).rejects.toThrow(
      /^This database comes from a version that is too old \(migration 035[12]-[\w-]+\): start the last version that has the migration 0352-lists-by-created-at on it once, or begin with an empty database\.$/,
    )
    expect(await dumpSchema(owner)).toBe(before)
  }
})

test('restores a backup of the former version, and refuses one of an earlier version', async () => {
  const backup = async (files: Record<string, string>) => {
    const { owner } = await openFormer(files)
    const file = join(makeFolder(), 'former.backup')
    await takeBackup(owner, {}, file)
    return file
  }
  for (const files of Object.values(versions)) {
    const database = await openEmpty()
    await restoreBackup(database, await backup(files))
    expect(await rowsOf(database)).toEqual(kept)
    expect((await database.start()).applied).toEqual(later)
  }
  const { [last]: _, ...earlier } = former
  const older = await backup(earlier)
  await expect(checkBackup(older)).rejects.toThrow(
    /comes from a version that is too old \(migration 0351-[\w-]+\): restore it with Parvis [\d.]+, start the last version that has the migration 0352-lists-by-created-at, and take a backup of that\.$/,
  )
})
