import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { insertAct, insertPublished } from './acts.test-kit.ts'
import { claimDue, listNewSeals, recordProblem } from './timestamps/queries.ts'

const world = await openWorld()
const { db, user, client, acteur, commune, setClock } = world
const now = new Date('2026-11-20T10:00:00Z')
setClock(now.toISOString())
const mairie = async (nom: string) => {
  const hall = await acteur({ type: 'mairie', nom, valide: true })
  await commune({ mairie_actor_id: hall.id })
  return hall
}
const [one, other] = [await mairie('Mairie d’Aix'), await mairie('Mairie de Brides')]
const { token } = await user({ roles: ['admin'] })
const admin = client({ source: 'backoffice', token })
const titlesOf = async (query: string) =>
  (await admin.get(`/admin/acts?${query}`)).body.data.map(({ title }: { title: string }) => title)

const draft = await insertAct(db, { acteur_id: one.id, title: 'Brouillon', kind: 'arrete' })
const first = await insertPublished(
  db,
  { acteur_id: one.id, title: 'Premier', kind: 'arrete' },
  new Date('2026-11-18T10:00:00Z'),
)
const second = await insertPublished(
  db,
  { acteur_id: other.id, title: 'Second', kind: 'arrete' },
  new Date('2026-11-19T10:00:00Z'),
)

test('administrators list the acts of all mairies, by state and mairie', async () => {
  const { body } = await admin.get('/admin/acts')
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id, draft.id])
  expect(body.data[0]).toMatchObject({
    ...{ acteur: { id: other.id, nom: 'Mairie de Brides' }, state: 'published', stamping: null },
    seal: { number: 2 },
  })
  expect(await titlesOf('state=draft')).toEqual(['Brouillon'])
  expect(await titlesOf(`acteur_id=${one.id}`)).toEqual(['Premier', 'Brouillon'])
  expect(await titlesOf('stamped=false')).toEqual([])
})

test('they find the acts that wait for a timestamp, and why', async () => {
  await listNewSeals(db, now)
  const claimed = await claimDue(db, now, 60)
  expect(claimed?.number).toBe(2)
  const nextAt = new Date(now.getTime() + 60_000)
  await recordProblem(db, 2, { problem: 'The authority returned 503.', nextAt })
  const { body } = await admin.get('/admin/acts?stamped=false')
  expect(body.data).toMatchObject([
    {
      title: 'Second',
      stamping: { attempts: 1, problem: 'The authority returned 503.', next_at: nextAt.toISOString() },
    },
  ])
})

test('they see what mairies should have published, the longest overdue first', async () => {
  expect((await admin.get('/admin/acts/due')).body.data).toEqual([])
  await insertAct(db, { acteur_id: one.id, date: '2026-11-12' })
  await insertAct(db, { acteur_id: one.id, date: '2026-10-06' })
  await insertAct(db, { acteur_id: other.id, date: '2026-10-20' })
  // Due in the future, and of a mairie that is gone.
  await insertAct(db, { acteur_id: other.id, date: '2026-11-19' })
  const gone = await mairie('Mairie disparue')
  await insertAct(db, { acteur_id: gone.id, date: '2026-10-01' })
  await sql`update acteurs set deleted_at = now() where id = ${gone.id}`.execute(db)
  const [aix, brides] = [one, other].map(({ id, nom }) => ({ id, nom }))
  const list = 'liste_des_deliberations'
  expect((await admin.get('/admin/acts/due')).body.data).toEqual([
    { kind: list, council: '2026-10-06', due: '2026-10-13', acteur: aix },
    { kind: list, council: '2026-10-20', due: '2026-10-27', acteur: brides },
    { kind: list, council: '2026-11-12', due: '2026-11-19', acteur: aix },
    { kind: 'proces_verbal', council: '2026-10-06', due: '2026-11-19', acteur: aix },
  ])
})

test('only administrators see them', async () => {
  const moderator = await user({ roles: ['moderator'] })
  const owner = await user({ memberships: [{ acteur: one, role: 'owner' }] })
  for (const { token: theirs } of [moderator, owner])
    for (const path of ['/admin/acts', '/admin/acts/due'])
      expect((await client({ source: 'backoffice', token: theirs }).get(path)).status).toBe(403)
})
