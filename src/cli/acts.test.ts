import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openWorld, run as runAs } from '../../test/support/world.ts'
import { insertPublished } from '../modules/acts/acts.test-kit.ts'
import { insertSample } from '../modules/acts/presence/queries.ts'
import { listRoots } from '../modules/acts/proof.ts'
import { occultAct } from '../modules/acts/publishing.ts'
import { operator } from '../platform/access/caller.ts'
import { run } from './acts.ts'
import { openCommandWorld } from './command.test-kit.ts'

const world = await openWorld()
const { db, database } = world
const { call, refusal } = await openCommandWorld(world, run)
const folder = await mkdtemp(join(tmpdir(), 'parvis-acts-'))
afterAll(() => rm(folder, { recursive: true }))
const hall = await world.acteur({ type: 'mairie', valide: true })
await world.commune({ mairie_actor_id: hall.id })
const at = (day: number) => new Date(Date.UTC(2026, 9, day, 10))
const publish = (title: string, day: number) => insertPublished(db, { acteur_id: hall.id, title }, at(day))
const first = await publish('Premier', 1)
const second = await publish('Deuxième', 2)
const since = at(1).toISOString()
const sample = { address: 'https://parvis.example', since, through: 2, asked: 2, missing: [] }
await insertSample(db, { format: 1, kind: 'presence', ...sample }, at(3))
const removed = await publish('Retiré', 4)
await occultAct(db, operator, { acteurId: hall.id, id: removed.id }, { reason: 'CNIL', now: at(5) })
await publish('Dernier', 5)
const scan = await insertPublished(db, { acteur_id: hall.id, title: 'Scan', typed: 'Le texte' }, at(6))
const roots = join(folder, 'racines.json')
await writeFile(roots, JSON.stringify({ racines: await listRoots(db, '2026-11-01') }))

/** Runs a statement as a superuser whom no trigger and no constraint stops, and undoes it. */
async function altered(statement: string, undo: string, args = 'verify') {
  const asReplica = (text: string) => `set session_replication_role = replica; ${text}`
  const form =
    'alter table act_seals drop constraint act_seals_form; alter table act_files drop constraint act_files_sha256'
  await runAs(database.superuser, form).catch(() => {})
  await runAs(database.superuser, asReplica(statement))
  const { code, stdout } = await call(args)
  await runAs(database.superuser, asReplica(undo))
  expect(code).toBe(1)
  return stdout
}

test('what was published is as it was sealed, also by roots that were kept', async () => {
  const said = { code: 0, stdout: '5 acts in 6 seals are as they were sealed.\n' }
  expect(await call('verify')).toMatchObject(said)
  expect(await call(['verify', '--roots', roots])).toMatchObject(said)
})

const flip = `update act_files set content = set_byte(content, 10, get_byte(content, 10) # 1) where act_id = '${second.id}'`

test.each<[string, string, string, string]>([
  [
    'another title',
    `update acts set title = 'X' where id = '${first.id}'`,
    `update acts set title = 'Premier' where id = '${first.id}'`,
    `act ${first.id}: title is not what was sealed`,
  ],
  [
    'another day on line',
    `update acts set published_at = published_at - interval '1 day' where id = '${first.id}'`,
    `update acts set published_at = published_at + interval '1 day' where id = '${first.id}'`,
    `act ${first.id}: published_at is not what was sealed`,
  ],
  ['an exchanged file', flip, flip, `act ${second.id}: its file is not the one that was sealed`],
  [
    'another typed text',
    `update act_files set text = 'Un autre' where act_id = '${scan.id}'`,
    `update act_files set text = 'Le texte' where act_id = '${scan.id}'`,
    `act ${scan.id}: its typed text is not the one that was sealed`,
  ],
  [
    'a typed text that is hidden',
    `update acts set typed_text = false where id = '${scan.id}'`,
    `update acts set typed_text = true where id = '${scan.id}'`,
    `act ${scan.id}: its typed text is not the one that was sealed`,
  ],
  [
    'a file that is gone',
    `create table gone as select * from act_files where act_id = '${second.id}'; delete from act_files where act_id = '${second.id}'`,
    'insert into act_files select * from gone; drop table gone',
    `act ${second.id}: its file is gone`,
  ],
  [
    'an act that is gone',
    `create table gone as select * from acts where id = '${second.id}'; delete from acts where id = '${second.id}'`,
    'insert into acts select * from gone; drop table gone',
    `act ${second.id}: it is gone`,
  ],
  [
    'a changed record',
    `update act_seals set record = replace(record, 'Premier', 'Dernier') where number = 1`,
    `update act_seals set record = replace(record, 'Dernier', 'Premier') where number = 1`,
    'seal 1: its record was changed',
  ],
  [
    'a seal removed from the middle',
    'create table gone as select * from act_seals where number = 2; delete from act_seals where number = 2',
    'insert into act_seals select * from gone; drop table gone',
    'seal 3: seals before it are missing',
  ],
  [
    'an act that was published without a seal',
    `create table gone as select * from act_seals where number = 5; delete from act_seals where number = 5`,
    'insert into act_seals select * from gone; drop table gone',
    'it is published without a seal',
  ],
  [
    'an act that is a draft again',
    `update acts set state = 'draft' where id = '${first.id}'`,
    `update acts set state = 'published' where id = '${first.id}'`,
    `act ${first.id}: it is sealed, and a draft`,
  ],
])('verify names %s', async (_name, statement, undo, fault) => {
  const constraints = ['acts_draft', 'acts_published']
  await runAs(
    database.superuser,
    constraints.map((one) => `alter table acts drop constraint if exists ${one}`).join('; '),
  )
  const said = await altered(statement, undo)
  expect(said).toContain(fault)
  expect(said).toMatch(/\d faults? in \d seals\.\n$/)
})

test('a chain that was replaced is found by the roots that were kept', async () => {
  const made = `update act_seals set record = '{}', digest = sha256('{}'), seal = sha256(previous || sha256('{}')) where number = 5`
  const kept = `create table kept as select * from act_seals where number = 5; ${made}`
  const undo =
    'update act_seals s set record = k.record, digest = k.digest, seal = k.seal from kept k where s.number = k.number; drop table kept'
  const said = await altered(kept, undo, `verify --roots ${roots}`)
  expect(said).toContain('seal 5: the root of 2026-10-05 that was kept is another one')
  const cut =
    'create table gone as select * from act_seals where number = 5; delete from act_seals where number = 5'
  const back = 'insert into act_seals select * from gone; drop table gone'
  expect(await altered(cut, back, `verify --roots ${roots}`)).toContain(
    'seal 5: it is gone, and the root of 2026-10-05 was kept',
  )
})

test('it refuses other words, and a file without roots', async () => {
  expect(await refusal('')).toBe('Name what to do: verify.')
  expect(await refusal('verify all')).toBe('Name what to do: verify.')
  expect(await refusal('verify --roots /nowhere')).toBe('/nowhere cannot be read.')
  for (const content of ['{', '{"racines":[{"date":"2026-01-01"}]}']) {
    const file = join(folder, 'other.json')
    await writeFile(file, content)
    expect(await refusal(['verify', '--roots', file])).toBe(`${file} is no copy of /actes/racines.json.`)
  }
})
