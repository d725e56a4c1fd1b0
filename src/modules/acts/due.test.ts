import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { insertAct, insertPublished } from './acts.test-kit.ts'
import type { ActRow } from './queries.ts'

const world = await openWorld()
const { db, user, client, acteur, setClock } = world
const { hall } = await openMairie(world)
setClock('2026-11-20T10:00:00Z')
const readerOf = async (mairie: { id: string }) => {
  const { token } = await user({ memberships: [{ acteur: mairie, role: 'editor', permissions: [] }] })
  return client({ source: 'mairie', token })
}
const member = await readerOf(hall)
const due = async () => (await member.get(`/mairie/acteurs/${hall.id}/acts/due`)).body.data
const insert = (kind: ActRow['kind'], date: string) => insertAct(db, { acteur_id: hall.id, kind, date })
const publish = (kind: ActRow['kind'], date: string) =>
  insertPublished(db, { acteur_id: hall.id, kind, date }, new Date('2026-11-19T10:00:00Z'))
const listOf = (council: string, day: string) => ({ kind: 'liste_des_deliberations', council, due: day })
const minutesOf = (council: string, day: string) => ({ kind: 'proces_verbal', council, due: day })

test('lists and minutes are due a week after their council and the next one, until they are published', async () => {
  expect(await due()).toEqual([])
  await insert('arrete', '2026-10-01')
  await insert('deliberation', '2026-08-22')
  expect(await due()).toEqual([])
  await insert('deliberation', '2026-10-06')
  await publish('deliberation', '2026-10-06')
  expect(await due()).toEqual([listOf('2026-10-06', '2026-10-13')])
  const later = await insert('deliberation', '2026-11-10')
  expect(await due()).toEqual([
    listOf('2026-10-06', '2026-10-13'),
    listOf('2026-11-10', '2026-11-17'),
    minutesOf('2026-10-06', '2026-11-17'),
  ])
  await insert('liste_des_deliberations', '2026-10-06')
  await insert('proces_verbal', '2026-10-06')
  expect(await due()).toHaveLength(3)
  await publish('liste_des_deliberations', '2026-10-07')
  await publish('proces_verbal', '2026-11-09')
  expect(await due()).toEqual([listOf('2026-11-10', '2026-11-17')])
  await publish('liste_des_deliberations', '2026-11-10')
  expect(await due()).toEqual([])
  await db.deleteFrom('acts').where('id', '=', later.id).execute()
})

test('a mairie of another commune sees its own alone', async () => {
  const other = await acteur({ type: 'mairie', valide: true })
  await world.commune({ mairie_actor_id: other.id })
  const stranger = await readerOf(other)
  expect((await stranger.get(`/mairie/acteurs/${other.id}/acts/due`)).body.data).toEqual([])
  expect((await stranger.get(`/mairie/acteurs/${hall.id}/acts/due`)).status).toBe(403)
})
