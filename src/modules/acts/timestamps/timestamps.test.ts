import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { actsOf } from '../acts.test-kit.ts'
import { hasOpenssl, openAuthority } from './authority.test-kit.ts'
import { stampHandler, stampSchedules } from './jobs.ts'
import * as queries from './queries.ts'

const needsOpenssl = test.skipIf(!hasOpenssl)
const authority = hasOpenssl ? await openAuthority() : null
const stranger = hasOpenssl ? await openAuthority() : null
const world = await openWorld({
  ...(authority && { env: { TSA_URL: authority.url, TSA_CA_FILE: authority.rootFile } }),
})
const { db, acteur, commune, user, client, url, database } = world
const hall = await acteur({ type: 'mairie', valide: true })
await commune({ mairie_actor_id: hall.id })
const { token } = await user({ memberships: [{ acteur: hall, role: 'owner' }] })
const { publish } = actsOf(client({ source: 'mairie', token }), hall.id)
const reader = client({ source: 'public' })
let published = 0
const publishOne = () => publish({ title: `Acte ${++published}` })

let now = new Date()
const stampIn = ({ db, config, log }: typeof world) =>
  stampHandler({ db, config, log, clock: () => now }).perform(
    {},
    {
      ...{ id: 'job', attempt: 1, signal: new AbortController().signal },
    },
  )
const stamp = () => stampIn(world)
const inSeconds = (seconds: number) => {
  now = new Date(Date.now() + seconds * 1_000)
  world.setClock(now.toISOString())
}
const stampOf = async (id: string) => (await reader.get(`/acts/${id}`)).body.data.seal.timestamp
const waiting = async () => {
  const { rows } = await sql<{ number: number; problem: string | null }>`
    select number::int as number, problem from act_timestamps where reply is null order by number`.execute(db)
  return rows
}

beforeEach(async () => {
  authority?.behave(null)
  inSeconds(0)
  await stamp()
  // Seals of earlier tests are due again by then.
  inSeconds(120)
  await stamp()
  inSeconds(0)
})

needsOpenssl('an act is published without its timestamp, which follows', async () => {
  const act = await publishOne()
  expect(act.seal.timestamp).toBeNull()
  expect(await stampOf(act.id)).toBeNull()
  await stamp()
  expect(await stampOf(act.id)).toEqual({ at: expect.any(String), authority: 'Horodatage de test' })
  expect(await waiting()).toEqual([])
})

needsOpenssl('OpenSSL verifies the timestamps in a proof, and refuses another seal', async () => {
  const acts = [await publishOne(), await publishOne()]
  await stamp()
  inSeconds(86_400)
  const folder = mkdtempSync(join(tmpdir(), 'parvis-stamped-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const response = await fetch(`${url}/actes/${acts[0].id}/preuve.zip`)
  writeFileSync(join(folder, 'preuve.zip'), Buffer.from(await response.arrayBuffer()))
  execFileSync('python3', ['-c', 'import zipfile; zipfile.ZipFile("preuve.zip").extractall()'], {
    cwd: folder,
  })
  const readMe = readFileSync(join(folder, 'LISEZMOI.txt'), 'utf8')
  const commands = [...readMe.matchAll(/^ +(openssl .+)$/gm)].map(([, command = '']) => command)
  // One of the act, one of the root of the day.
  expect(commands).toHaveLength(2)
  const verify = (command: string) => spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })
  for (const [index, command] of commands.entries()) {
    const seal: string = acts[index].seal.seal
    const digest = /"\$\(.+?\)"/
    expect(command).toMatch(digest)
    const { stdout, stderr } = verify(command)
    expect(stdout + stderr).toContain('Verification: OK')
    expect(verify(command.replace(digest, seal)).status).toBe(0)
    const other = seal.replace(/^./, (one) => (one === '0' ? '1' : '0'))
    expect(verify(command.replace(digest, other)).status).toBe(1)
  }
  expect(spawnSync('python3', ['verifier.py'], { cwd: folder }).status).toBe(0)
})

needsOpenssl.each([
  ['is away', (response: { destroy(): void }) => response.destroy(), ''],
  [
    'refuses',
    (response: { end(body: unknown): void }) => response.end(Buffer.from('30053003020102', 'hex')),
    'refused',
  ],
  [
    'fails',
    (response: { writeHead(status: number): { end(): void } }) => response.writeHead(500).end(),
    '500',
  ],
  ['answers a page', (response: { end(body: unknown): void }) => response.end('<html>'), ''],
  [
    'answers without an end',
    (response: { write(body: unknown): void }) => response.write('x'.repeat(70_000)),
    '',
  ],
])(
  'an authority that %s is asked again later, and delays no publication',
  async (_name, behaviour, problem) => {
    authority?.behave(behaviour as never)
    const acts = [await publishOne(), await publishOne()]
    const before = authority?.asked() ?? 0
    await stamp()
    // The second act would fare alike.
    expect(authority?.asked()).toBe(before + 1)
    const [first, ...others] = await waiting()
    expect(first?.problem).toContain(problem)
    expect(others).toHaveLength(1)
    authority?.behave(null)
    await stamp()
    expect(await stampOf(acts[0].id)).toBeNull()
    expect(await stampOf(acts[1].id)).not.toBeNull()
    inSeconds(61)
    await stamp()
    expect(await stampOf(acts[0].id)).not.toBeNull()
  },
)

needsOpenssl('a redirect to another authority is not followed', async () => {
  const act = await publishOne()
  authority?.behave((response) => {
    response.writeHead(307, { location: stranger?.url }).end()
  })
  await stamp()
  expect(await stampOf(act.id)).toBeNull()
  expect(stranger?.asked()).toBe(0)
})

needsOpenssl(
  'an attempt that died is made again when its time has passed, and two at once make one',
  async () => {
    const act = await publishOne()
    await queries.listNewSeals(db, now)
    const [one, other] = await Promise.all([1, 2].map(() => queries.claimDue(db, now, 60)))
    expect([one, other].filter(Boolean)).toHaveLength(1)
    await stamp()
    expect(await stampOf(act.id)).toBeNull()
    inSeconds(61)
    await Promise.all([stamp(), stamp()])
    expect(await stampOf(act.id)).not.toBeNull()
  },
)

needsOpenssl('only seals since the first timestamp are asked for', async () => {
  const fresh = await openWorld({
    env: { TSA_URL: authority?.url ?? '', TSA_CA_FILE: authority?.rootFile ?? '' },
  })
  const mairie = await fresh.acteur({ type: 'mairie', valide: true })
  await fresh.commune({ mairie_actor_id: mairie.id })
  const owner = await fresh.user({ memberships: [{ acteur: mairie, role: 'owner' }] })
  const of = actsOf(fresh.client({ source: 'mairie', token: owner.token }), mairie.id)
  for (const title of ['Un', 'Deux', 'Trois']) await of.publish({ title })
  const before = authority?.asked() ?? 0
  await stampIn(fresh)
  // The last seal covers the two before it.
  expect(authority?.asked()).toBe(before + 1)
})

needsOpenssl('nobody but a superuser changes a timestamp', async () => {
  await publishOne()
  await stamp()
  for (const statement of [
    `update act_timestamps set at = at - interval '1 day'`,
    `update act_timestamps set reply = null, at = null, authority = null, authority_digest = null`,
    'delete from act_timestamps',
    'truncate act_timestamps',
    `update act_authorities set pem = 'x'`,
    'delete from act_authorities',
  ]) {
    const refused = /append-only|does not change|permission denied/
    await expect(sql.raw(statement).execute(db)).rejects.toThrow(refused)
    await expect(run(database.owner, statement)).rejects.toThrow(refused)
  }
})

needsOpenssl('without an authority no job runs', async () => {
  expect(stampSchedules(world.config)).toHaveLength(1)
  expect(stampSchedules((await openWorld()).config)).toEqual([])
})

test('the start refuses an authority without certificates, and a file without any', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-ca-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'empty.pem')
  writeFileSync(file, 'x')
  for (const [env, said] of [
    [{ TSA_URL: 'https://tsa.example.org/' }, 'set together'],
    [{ TSA_URL: 'ftp://tsa.example.org/', TSA_CA_FILE: file }, 'TSA_URL must be'],
    [{ TSA_URL: 'https://tsa.example.org/', TSA_CA_FILE: file }, 'TSA_CA_FILE must be'],
    [{ TSA_URL: 'https://tsa.example.org/', TSA_CA_FILE: join(folder, 'none') }, 'TSA_CA_FILE must be'],
  ] as const)
    await expect(openWorld({ env })).rejects.toThrow(said)
})
