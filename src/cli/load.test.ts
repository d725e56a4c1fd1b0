import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { factories } from '../../test/support/factories.ts'
import { cloneDatabase } from '../../test/support/world.ts'
import {
  endHolder,
  makeFolder,
  query,
  removeFolders,
  startHolder,
  until,
} from '../embedded-postgres/cluster/cluster.test-kit.ts'
import { isClusterHeld, openCluster } from '../embedded-postgres/cluster/cluster.ts'
import { openLoadWorld } from '../loaders/load.test-kit.ts'
import { csv, device } from '../modules/defibrillateurs/sync/registry.test-kit.ts'
import { readConfig } from '../platform/config/config.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import type { Connection } from '../platform/database/connection.ts'
import { migrate } from '../platform/database/migrate/migrate.ts'
import { run } from './load.ts'
import { openForCommand } from './open-for-command.ts'

const database = await cloneDatabase()
const { db, rows } = openLoadWorld(database)
const { commune } = factories(db)
await rows("insert into first_loads (name) values ('communes')")
const folder = await mkdtemp(join(tmpdir(), 'parvis-load-'))
afterAll(() => rm(folder, { recursive: true }))
afterAll(removeFolders)

const env = {
  DATABASE_URL: urlOf(database.service),
  MIGRATE_DATABASE_URL: urlOf(database.owner),
  AUTH_JWT_SECRET: 'a secret for tests: long enough to be one',
}

/** A socket folder fits into a URL only as a parameter. */
function urlOf({ host, port, user, password, database: name }: Connection): string {
  return `postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(`${host}`)}`
}

const { host, port, user, database: name } = database.service
const named = `Database: ${name} on ${host}:${port}, as ${user}\n`

type RunOptions = { stdin?: string; terminal?: boolean; env?: NodeJS.ProcessEnv; signal?: AbortSignal }

async function load(args: string, { stdin = '', terminal = false, signal, ...given }: RunOptions = {}) {
  const said = { stdout: '', stderr: '' }
  const output = (name: keyof typeof said) => ({
    isTTY: terminal,
    write(text: string) {
      said[name] += text
    },
  })
  const code = await run(args.split(' ').filter(Boolean), {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: given.env ?? env,
    signal: signal ?? new AbortController().signal,
  })
  return { code, ...said }
}

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const geo = JSON.stringify([
  {
    code: '01001',
    nom: 'Une',
    codesPostaux: ['01400'],
    codeDepartement: '01',
    codeRegion: '84',
    population: 1,
  },
  { code: 'deux', nom: 'Deux' },
])
const rne = (code: string) =>
  `Code de la commune;Nom de l'élu;Prénom de l'élu;Date de naissance;Date de début du mandat;Libellé de la fonction\n${code};DUPONT;Ève;14/07/1959;18/05/2020;Maire\n`

test('loads a file, reports figures and refused rows, and exits with 0', async () => {
  const { code, stdout, stderr } = await load(`communes --file ${file('geo.json', geo)}`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: named })
  expect(stdout).toBe(
    'communes: 2 read, 1 created, 0 updated, 0 unchanged, 1 refused\n' +
      '  line 1, record 2: its code is not an INSEE code\n',
  )
})

test('--strict exits with 1 when rows were refused, and with 0 otherwise', async () => {
  expect((await load(`communes --strict --file ${file('geo.json', geo)}`)).code).toBe(1)
  expect((await load(`elus --strict --file ${file('rne.csv', rne('01001'))}`)).code).toBe(0)
})

test('--file - reads standard input', async () => {
  await commune({ code_insee: '01002' })
  const { code, stdout } = await load('elus --file -', { stdin: rne('01002') })
  expect([code, stdout]).toEqual([0, 'elus: 1 read, 1 created, 0 updated, 0 unchanged, 0 refused\n'])
})

test('load groups reports members, and needs no file', async () => {
  const cc = [
    { code: '900000001', nom: 'CC du Gué', membres: ['01001', '01002', '01998'].map((code) => ({ code })) },
  ]
  expect((await load('groups --file -', { stdin: JSON.stringify(cc) })).stdout).toBe(
    'groups: 1 read, 1 created, 0 updated, 0 unchanged, 1 refused, 2 members added\n' +
      '  900000001: no commune has the code 01998\n',
  )
  const one = JSON.stringify([{ ...cc[0], membres: [{ code: '01001' }] }])
  expect((await load('groups --file -', { stdin: one })).stdout).toBe(
    'groups: 1 read, 0 created, 1 updated, 0 unchanged, 0 refused, 1 members removed\n',
  )
  const { code, stdout } = await load('groups')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^groups: 1255 read, 2 created, /)])
})

test('lists up to a thousand refused rows, then the number of others', async () => {
  const refused = async (length: number) => {
    const stdin = JSON.stringify(Array.from({ length }, () => ({ nom: 'Mairie - X' })))
    const { stdout } = await load('mairies --file -', { stdin })
    return stdout.trimEnd().split('\n')
  }
  const all = await refused(1_000)
  expect(all[0]).toMatch(/^mairies: 1000 read, .*, 1000 refused$/)
  expect(all).toHaveLength(1_001)
  expect(all.at(-1)).toBe('  line 1, record 1000: code_insee_commune is missing')
  expect((await refused(1_030)).slice(1)).toEqual([...all.slice(1), '  and 30 more'])
})

test('a report larger than a pipe buffer reaches a slow reader completely', () => {
  const record = { nom: 'Mairie - X', code_insee_commune: '01001', plage_ouverture: 'le lundi' }
  const path = file('long.json', JSON.stringify(Array(1_000).fill(record), null, 1))
  const command = `"${process.execPath}" bin/parvis-cli.js load mairies --file "${path}" | (sleep 2; wc -l)`
  const { stdout, stderr } = spawnSync('sh', ['-c', command], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  expect([stdout.trim(), stderr]).toEqual(['1001', named])
})

test('reports a row with a NUL by line and loads the others', async () => {
  await commune({ code_insee: '01003' })
  const stdin = `${rne('01003')}01003;NU\0L;Luc;;18/05/2020;\n`
  expect(await load('elus --file -', { stdin })).toEqual({
    code: 0,
    stdout:
      'elus: 2 read, 1 created, 0 updated, 0 unchanged, 1 refused\n' +
      '  line 3: field 2 holds a NUL character\n',
    stderr: named,
  })
})

test('shows progress on a terminal in one line that disappears at the end', async () => {
  const stdin = JSON.stringify(Array.from({ length: 3_000 }, (_, n) => ({ nom: `Mairie - ${n}` })))
  const { stderr } = await load('mairies --file -', { stdin, terminal: true })
  const shown = stderr.split('\r\x1b[K').slice(1)
  expect(shown.length).toBeGreaterThan(1)
  expect(shown.at(-1)).toBe('')
  expect(shown[0]).toMatch(/^mairies: \d+ read, 0 placed$/)
})

test('loads the registry of defibrillators and reports refused rows by reason', async () => {
  const stdin = csv([device(1), device(2, { c_gid: '' }), device(3, { c_gid: '' })])
  expect(await load('defibrillateurs --file -', { stdin })).toEqual({
    code: 0,
    stdout:
      'defibrillateurs: 3 read, 1 created, 0 updated, 0 unchanged, 2 refused\n  2 rows: no_identifier\n',
    stderr: named,
  })
  const again = await load('defibrillateurs --file -', { stdin: csv([device(1)]) })
  expect(again.stdout).toBe('defibrillateurs: 1 read, 0 created, 0 updated, 1 unchanged, 0 refused\n')
  const cut = await load('defibrillateurs --file -', { stdin: csv([device(1)]).slice(0, -100) })
  expect(cut).toMatchObject({ code: 2, stderr: `${named}The file ends within a row: it was cut short.\n` })
  const queued = { id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e', source: 'registre' }
  await db.insertInto('defibrillateur_syncs').values(queued).execute()
  const beside = await load('defibrillateurs --file -', { stdin })
  await db.deleteFrom('defibrillateur_syncs').where('id', '=', queued.id).execute()
  expect(beside).toMatchObject({ code: 2, stderr: `${named}A synchronisation is already in progress.\n` })
})

test('loads a registry that lost more than half of its devices with --accept-fall', async () => {
  await load('defibrillateurs --file - --accept-fall', { stdin: csv([1, 2, 3].map((n) => device(n))) })
  const fallen = csv([device(1)])
  const refused = await load('defibrillateurs --file -', { stdin: fallen })
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('load with --accept-fall') })
  const believed = await load('defibrillateurs --file - --accept-fall', { stdin: fallen })
  expect(believed.stdout).toBe(
    'defibrillateurs: 1 read, 0 created, 0 updated, 1 unchanged, 2 removed, 0 refused\n',
  )
})

const bal = (lines: string) => `commune_insee;voie_nom;numero;suffixe;long;lat\n${lines}`

test('loads addresses from a file that gzip compressed, named without --file', async () => {
  await commune({ code_insee: '01004' })
  const path = join(folder, 'adresses-01.csv.gz')
  const content = gzipSync(
    bal('01004;Rue du Gué;1;;5.1;46.1\n01004;Rue du Gué;1;bis;5.1;46.1\n01998;Rue X;1;;5;46\n'),
  )
  writeFileSync(path, content)
  expect(await load(`addresses ${path}`)).toEqual({
    code: 0,
    stdout:
      'addresses: 3 read, 2 created, 0 updated, 0 unchanged, 1 refused, 1 streets\n' +
      '  line 4: no commune has the code 01998\n',
    stderr: named,
  })
  writeFileSync(path, content.subarray(0, -20))
  expect(await load(`addresses ${path}`)).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: `${named}The compressed file is damaged or was cut short (Z_BUF_ERROR).\n`,
  })
})

test('loads a file from an address, and names one that does not answer', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/bal.csv' ? 200 : 404
    response.end(bal('01004;Rue du Gué;2;;5.1;46.1\n01004;Rue du Gué;3;;5.1;46.1\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const loading = await load(`addresses --file ${url}/bal.csv --accept-fall`)
  expect(loading).toEqual({
    code: 0,
    stdout: 'addresses: 2 read, 2 created, 0 updated, 0 unchanged, 2 removed, 0 refused, 1 streets\n',
    stderr: named,
  })
  expect((await load(`addresses ${url}/none.csv`)).stderr).toBe(`${url}/none.csv answered 404.\n`)
  await new Promise((resolve) => server.close(resolve))
  expect((await load(`addresses ${url}/bal.csv`)).stderr).toBe(
    `${url}/bal.csv cannot be reached (ECONNREFUSED).\n`,
  )
})

test('never prints the birth date', async () => {
  const shifted = rne('01001').replace('01001;', '14/07/1959;01001;')
  const told = [
    await load('elus --file -', { stdin: shifted }),
    await load('elus --file -', { stdin: rne('14/07/1959') }),
    await load('elus --file -', { stdin: rne('01001').replace('18/05/2020', '14/07/1959x') }),
  ]
  expect(told.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(told.map(({ stdout }) => stdout.includes(', 1 refused'))).toEqual([true, true, true])
  expect(JSON.stringify(told)).not.toMatch(/1959|07.14/)
})

test.each([
  ['', 'Name what to load: communes, groups, elus, mairies, defibrillateurs or addresses.'],
  ['villes', 'Name what to load: communes, groups, elus, mairies, defibrillateurs or addresses.'],
  [
    'communes --accept-fall',
    '--accept-fall is an option of elus, mairies, defibrillateurs, addresses: no other load is refused for a fall in rows.',
  ],
  ['elus', 'Name the file of the elus: --file <path>, or --file - for standard input.'],
  ['communes --fast', "Unknown option '--fast'. See npm run load -- --help."],
  ['elus --file /nowhere/rne.csv', 'The file /nowhere/rne.csv cannot be read (ENOENT).'],
  ['elus --file /tmp', '/tmp is not a file.'],
  [
    'elus one.csv two.csv',
    'Name what to load: communes, groups, elus, mairies, defibrillateurs or addresses.',
  ],
  ['mairies --file -', 'The file is not a JSON list, nor an object with a list named service or results.'],
  ['elus --file -', 'The file is empty.'],
])('"%s" exits with 2 and one sentence', async (args, sentence) => {
  const { code, stdout, stderr } = await load(args)
  expect({ code, stdout, stderr: stderr.replace(named, '') }).toEqual({
    code: 2,
    stdout: '',
    stderr: `${sentence}\n`,
  })
})

test('--help prints the usage', async () => {
  expect(await load('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run load --') })
})

test('an unavailable or unprepared database exits with 2 and one sentence', async () => {
  const away = { ...env, MIGRATE_DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }
  expect(await load('communes', { env: away })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^The database that MIGRATE_DATABASE_URL names cannot be used: .*\n$/),
  })
  await rows('delete from first_loads')
  expect(await load('communes')).toMatchObject({ code: 2, stderr: expect.stringContaining('not set up yet') })
  await rows("insert into first_loads (name) values ('communes')")
})

test('a run stopped while waiting for input exits with 130 and says how to continue', async () => {
  const stop = new AbortController()
  const said: string[] = []
  const write = (text: string) => said.push(text)
  const code = await run(['communes', '--file', '-'], {
    // It has begun to read, and waits.
    stdin: new Readable({ read: () => setImmediate(() => stop.abort()) }),
    stdout: { write },
    stderr: { write },
    env,
    signal: stop.signal,
  })
  expect([code, ...said]).toEqual([
    130,
    named,
    'Stopped: what was loaded so far stays, the same command completes it.\n',
  ])
})

const embedded = (dataDir: string) => ({ DATA_DIR: dataDir })

test('without a database a command creates none and says so in one sentence', async () => {
  const dataDir = join(makeFolder(), 'data')
  expect(await load('communes', { env: embedded(dataDir) })).toEqual({
    code: 2,
    stdout: '',
    stderr: `There is no database in ${dataDir}, and DATABASE_URL is not set: give this command the same settings as the service, or start Parvis here first.\n`,
  })
  expect(existsSync(dataDir)).toBe(false)
})

test('without a running service a command starts the embedded database, fills it and stops it', {
  timeout: 120_000,
}, async () => {
  const dataDir = join(makeFolder(), 'data')
  const { stop } = await openCluster({ dataDir, names: clusterNames, log: () => {}, durable: false })
  await stop()
  const first = await load('communes', { env: embedded(dataDir) })
  expect(first).toEqual({
    code: 0,
    stdout: 'communes: 34969 read, 0 created, 0 updated, 34969 unchanged, 0 refused\n',
    stderr: `Database: the embedded one in ${dataDir}\n`,
  })
  expect(isClusterHeld(dataDir, clusterNames)).toBe(false)
})

test('beside a running service a command uses its database, also while it is starting', {
  timeout: 120_000,
}, async () => {
  const dataDir = join(makeFolder(), 'data')
  const holder = startHolder(dataDir, { durable: false, as: clusterNames })
  await until(() => isClusterHeld(dataDir, clusterNames))
  const opening = openForCommand(readConfig([], embedded(dataDir)), () => {})
  const { owner, service } = await holder.opened
  await migrate(owner, service.user, async (tx) => {
    await tx.insertInto('first_loads').values({ name: 'communes' }).execute()
  })
  const joined = await opening
  expect(joined.embedded).toBe(true)
  await joined.close()
  expect(isClusterHeld(dataDir, clusterNames)).toBe(true)
  const stdin = geo.replace('01001', '01009')
  expect(await load('communes --file -', { stdin, env: embedded(dataDir) })).toMatchObject({
    code: 0,
    stderr: `Database: the embedded one in ${dataDir}\n`,
  })
  expect(await query(service, 'select code_insee from communes')).toEqual([{ code_insee: '01009' }])
  await endHolder(holder)
})
