import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'
import { openCommandWorld } from './command.test-kit.ts'
import { run } from './sources.ts'

const world = await openWorld()
const { db, commune, get } = world
const { call, env, named, refusal } = await openCommandWorld(world, run)
const bourg = await commune({ code_insee: '01053', nom: 'Bourg-en-Bresse' })
const haut = await commune({ code_insee: '01187', nom: 'Haut Valromey' })
await db
  .insertInto('commune_aliases')
  .values({ code_insee: '01176', commune_id: haut.id, nom: 'Le Grand-Abergement', type: 'deleguee' })
  .execute()

const auditEntries = (code: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', code).orderBy('at').orderBy('id').execute()
/** The transaction that last wrote the row. */
const writerOf = async (code: string) =>
  (await sql<{ by: string }>`select xmin::text as by from app_sources where code = ${code}`.execute(db))
    .rows[0]?.by
const set = (...args: string[]) => call(['set', ...args])

test('list prints each source, its communes and whether it is active', async () => {
  expect(await call('list')).toEqual({
    code: 0,
    stdout:
      'backoffice\tBack-office\teverything public\tactive\n' +
      'mairie\tMairie\teverything public\tactive\n' +
      'public\tApplication publique\teverything public\tactive\n' +
      'site\tSite public\teverything public\tactive\n',
    stderr: named,
  })
})

test('set creates a source restricted by present or former INSEE codes', async () => {
  expect(await set('--code', 'Bresse', '--label', 'Ma Bresse', '--communes', '01053, 01176,01053')).toEqual({
    code: 0,
    stdout: 'bresse\tMa Bresse\t01053 Bourg-en-Bresse, 01187 Haut Valromey\tactive\n',
    stderr: named,
  })
  const commune_ids = [bourg.id, haut.id].sort()
  expect(await auditEntries('bresse')).toMatchObject([
    {
      action: 'app_source.set',
      entity: 'app_source',
      user_id: null,
      before: null,
      after: { code: 'bresse', label: 'Ma Bresse', commune_ids, active: true },
    },
  ])
})

test('set replaces the whole source: omitted options mean unrestricted and active; repeating it writes nothing', async () => {
  await set('--code', 'jura', '--label', 'Jura', '--communes', '01053', '--inactive')
  expect(await get('/communes', { source: 'jura' })).toBeError(403, 'scope_violation')
  const written = new Set()
  for (let time = 0; time < 2; time++) {
    const { stdout } = await set('--code', 'jura', '--label', 'Jura')
    expect(stdout).toBe('jura\tJura\teverything public\tactive\n')
    written.add(await writerOf('jura'))
  }
  // A write notifies every instance to drop its cache.
  expect(written.size).toBe(1)
  expect((await get('/communes', { source: 'jura' })).status).toBe(200)
  expect(await auditEntries('jura')).toMatchObject([
    { after: { active: false } },
    { before: { commune_ids: [bourg.id], active: false }, after: { active: true } },
  ])
})

test('set shows a group by its slug, whose present members the source then shows', async () => {
  const group = { id: uuidv7(), slug: 'cc-de-bresse', nom: 'CC de Bresse', kind: 'epci' }
  await db.insertInto('groups').values(group).execute()
  await db.insertInto('group_communes').values({ group_id: group.id, commune_id: bourg.id }).execute()
  expect((await set('--code', 'cc', '--label', 'CC', '--group', 'cc-de-bresse')).stdout).toBe(
    'cc\tCC\tcc-de-bresse\tactive\n',
  )
  expect(await auditEntries('cc')).toMatchObject([{ after: { group_id: group.id } }])
  expect((await set('--code', 'cc', '--label', 'CC', '--group', 'inconnue')).stderr).toContain(
    'There is no group inconnue.',
  )
  expect(
    (await set('--code', 'cc', '--label', 'CC', '--group', 'a', '--communes', '01053')).stderr,
  ).toContain('not both')
})

test("the service's own sources can be renamed, not restricted or deactivated", async () => {
  for (const code of ['public', 'mairie', 'backoffice']) {
    for (const more of [['--inactive'], ['--communes', '01053']]) {
      const { code: exit, stderr } = await set('--code', code, '--label', 'X', ...more)
      expect([exit, stderr]).toEqual([
        2,
        `${named}The source ${code} belongs to the service: only its label can be changed.\n`,
      ])
    }
  }
  expect((await set('--code', 'mairie', '--label', 'Mairies')).stdout).toMatch(/^mairie\tMairies\t/)
})

test.each([
  [[], 'Name what to do: list or set.'],
  [['list', 'all'], 'Name what to do: list or set.'],
  [['set', '--code', 'x'], 'Name the source: --code <code> --label <label>.'],
  [
    ['set', '--code', '_x', '--label', 'X'],
    '_x is not a valid code: at most 50 small letters, digits, - and _, the first a letter or a digit.',
  ],
  [
    ['set', '--code', 'x', '--label', 'X', '--communes', ''],
    '--communes is a list of INSEE codes, such as 01103,73065.',
  ],
  [
    ['set', '--code', 'x', '--label', 'X', '--communes', '01053,99998,99997'],
    'There is no commune with the code 99998, 99997.',
  ],
  [['set', '--fast'], "Unknown option '--fast'. See npm run sources -- --help."],
])('%j exits with 2 and one sentence', async (args, sentence) => {
  expect(await refusal(args)).toBe(sentence)
})

test('needs no secret for tokens', async () => {
  const { AUTH_JWT_SECRET, ...without } = env
  expect(await call('list', without)).toMatchObject({ code: 0, stderr: named })
})

test('--help prints the usage', async () => {
  expect(await call('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('npm run sources --'),
  })
})
