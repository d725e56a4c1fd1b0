import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openWorld, run as runAs } from '../../test/support/world.ts'
import { asOwner, insertPublished } from '../modules/acts/acts.test-kit.ts'
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
const town = await world.commune({ mairie_actor_id: hall.id })
const other = await world.acteur({ type: 'mairie', valide: true })
const elsewhere = await world.commune({ mairie_actor_id: other.id })
const at = (day: number) => new Date(Date.UTC(2026, 9, day, 10))
const publish = (title: string, day: number) => insertPublished(db, { acteur_id: hall.id, title }, at(day))
const first = await publish('Premier', 1)
const second = await publish('Deuxième', 2)
const since = at(1).toISOString()
const sample = { address: 'https://parvis.example', since, through: 2, asked: 2, missing: [] }
await asOwner(database.owner, (db) => insertSample(db, { format: 1, kind: 'presence', ...sample }, at(3)))
const removed = await publish('Retiré', 4)
await occultAct(db, operator, { acteurId: hall.id, id: removed.id }, { reason: 'CNIL', now: at(5) })
await publish('Dernier', 5)
const scan = await insertPublished(db, { acteur_id: hall.id, title: 'Scan', typed: 'Le texte' }, at(6))
const correction = await insertPublished(
  db,
  { acteur_id: hall.id, title: 'Correction', supersedes: second.id },
  at(7),
)
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
  const said = { code: 0, stdout: '6 acts in 7 seals are as they were sealed.\n' }
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
    'an act that was moved to another mairie',
    `update acts set acteur_id = '${other.id}' where id = '${first.id}'`,
    `update acts set acteur_id = '${hall.id}' where id = '${first.id}'`,
    `act ${first.id}: it was moved to the acteur ${other.id}, without a merge`,
  ],
  [
    'an act of another publisher',
    `update acts set published_by = '${other.id}' where id = '${first.id}'`,
    `update acts set published_by = '${hall.id}' where id = '${first.id}'`,
    `act ${first.id}: published_by is not what was sealed`,
  ],
  [
    'an act of other communes',
    `update acts set commune_ids = commune_ids || '${elsewhere.id}'::uuid where id = '${first.id}'`,
    `update acts set commune_ids = array['${town.id}'::uuid] where id = '${first.id}'`,
    `act ${first.id}: its communes are not those that were sealed`,
  ],
  [
    'an act that was archived early',
    `update acts set state = 'archived', archived_at = published_at + interval '3 days' where id = '${first.id}'`,
    `update acts set state = 'published', archived_at = null where id = '${first.id}'`,
    `act ${first.id}: it was archived before its two months ended`,
  ],
  [
    'an act whose end is of the future',
    `update acts set state = 'archived', archived_at = now() + interval '1 year' where id = '${first.id}'`,
    `update acts set state = 'published', archived_at = null where id = '${first.id}'`,
    `act ${first.id}: its state is dated into the future`,
  ],
  [
    'an act that another one than its correction supersedes',
    `update acts set state = 'superseded', superseded_by = '${second.id}' where id = '${first.id}'`,
    `update acts set state = 'published', superseded_by = null where id = '${first.id}'`,
    `act ${first.id}: it is not superseded by the act that corrects it`,
  ],
  [
    'a correction that supersedes nothing',
    `update acts set state = 'published', superseded_by = null where id = '${second.id}'`,
    `update acts set state = 'superseded', superseded_by = '${correction.id}' where id = '${second.id}'`,
    `act ${second.id}: it is not superseded by the act that corrects it`,
  ],
  [
    'a seal of the future',
    `update act_seals set sealed_at = now() + interval '1 year' where number = 7`,
    `update act_seals set sealed_at = '${at(7).toISOString()}' where number = 7`,
    'seal 7: it is dated into the future',
  ],
  [
    'a timestamp that is gone',
    `insert into act_timestamps (number, next_at) values (2, now()), (4, now())`,
    'delete from act_timestamps',
    'seal 3: its timestamp is gone',
  ],
  [
    'a timestamp that was replaced',
    `insert into act_authorities values (sha256('x'), 'x');
     insert into act_timestamps (number, next_at, reply, at, authority, authority_digest)
       select number, now(), seal, sealed_at, 'x', sha256('x') from act_seals where number = 2`,
    'delete from act_timestamps; delete from act_authorities',
    'seal 2: ',
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
  expect(said).toMatch(/\d+ faults? in \d seals\.\n$/)
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

test('a root that was kept was the last seal of its day', async () => {
  const early = `update act_seals set sealed_at = '${at(5).toISOString()}' where number = 6`
  const undo = `update act_seals set sealed_at = '${at(6).toISOString()}' where number = 6`
  const said = await altered(early, undo, `verify --roots ${roots}`)
  expect(said).toContain('seal 6: it is of 2026-10-05, and came after the root of 2026-10-05 that was kept')
  expect(said).toContain('seal 6: it is of 2026-10-05, and was kept as the root of 2026-10-06')
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
