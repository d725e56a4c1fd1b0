import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { daysLater } from '../../platform/time/days.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import type { CountedKind } from './kinds.ts'

const world = await openWorld()
const { db } = world
world.setClock('2026-11-29T12:00:00Z')
const { commune, hall, secretary, clubOwner } = await openMairie(world)
const path = `/me/acteurs/${hall.id}/readings`

const read = (kind: CountedKind, id: string, day: string, count: number) =>
  sql`
  insert into readings (kind, record_id, day, count) values (${kind}, ${id}, ${day}, ${count})`.execute(db)

/** The last thirty days, of which these were read. */
const daysWith = (counts: Record<string, number>) =>
  Array.from({ length: 30 }, (_, index) => daysLater('2026-10-31', index)).map((day) => ({
    day,
    count: counts[day] ?? 0,
  }))

async function insertPage(title: string, position: number): Promise<string> {
  const id = uuidv7()
  await sql`
    insert into commune_pages (id, commune_id, slug, title, body, position)
    values (${id}, ${commune.id}, ${`page-${position}`}, ${title}, '', ${position})`.execute(db)
  return id
}

test('GET /me/acteurs/{acteurId}/readings returns 200 with the numbers of each page, the most read first', async () => {
  const of = (
    kind: CountedKind,
    { id }: { id: string },
    title: string,
    last_30_days: number,
    total: number,
  ) => ({
    ...{ kind, id, title },
    ...{ last_30_days, total },
  })
  const own = [of('acteur', hall, hall.nom, 0, 0), of('commune', commune, commune.nom, 0, 0)]
  const before = await secretary.get(path)
  expect([before.status, before.body.data]).toEqual([
    200,
    { since: null, behind_edge: false, days: daysWith({}), records: own },
  ])
  const [ecole, unread] = [await insertPage('École', 1), await insertPage('Cantine', 2)]
  const publish = (title: string) =>
    insertPublication(world, { title, acteur_id: hall.id, commune_id: commune.id })
  const [fete, marche] = [await publish('Fête'), await publish('Marché')]
  const foreign = await insertPublication(world, { commune_id: commune.id })
  await read('commune', commune.id, '2026-11-29', 5)
  await read('commune', commune.id, '2026-10-31', 2)
  await read('commune', commune.id, '2026-10-30', 40)
  await read('page', ecole, '2026-11-01', 3)
  await read('publication', fete.id, '2026-09-01', 9)
  await read('publication', marche.id, '2026-11-29', 1)
  await read('publication', foreign.id, '2026-11-29', 7)
  const { status, body } = await secretary.get(path)
  expect([status, body.data]).toEqual([
    200,
    {
      since: '2026-09-01',
      behind_edge: false,
      days: daysWith({ '2026-10-31': 2, '2026-11-01': 3, '2026-11-29': 6 }),
      records: [
        own[0],
        of('commune', commune, commune.nom, 7, 47),
        of('page', { id: ecole }, 'École', 3, 3),
        of('publication', marche, 'Marché', 1, 1),
        of('publication', fete, 'Fête', 0, 9),
      ],
    },
  ])
  expect(JSON.stringify(body)).not.toContain(unread)
})

test('GET /me/acteurs/{acteurId}/readings?publication_id= returns this publication of the acteur alone', async () => {
  const { id } = await insertPublication(world, { title: 'Bal', acteur_id: hall.id, commune_id: commune.id })
  const of = async (publication: string) =>
    (await secretary.get(`${path}?publication_id=${publication}`)).body.data.records
  expect(await of(id)).toEqual([{ kind: 'publication', id, title: 'Bal', last_30_days: 0, total: 0 }])
  await read('publication', id, '2026-11-28', 12)
  expect(await of(id)).toMatchObject([{ last_30_days: 12, total: 12 }])
  const { days } = (await secretary.get(`${path}?publication_id=${id}`)).body.data
  expect(days).toEqual(daysWith({ '2026-11-28': 12 }))
  expect(await of((await insertPublication(world, {})).id)).toEqual([])
})

test('an application that is restricted to communes gets the readings of these', async () => {
  const other = await world.commune({ mairie_actor_id: hall.id })
  const { id } = await insertPublication(world, { acteur_id: hall.id, commune_id: other.id })
  await read('publication', id, '2026-11-28', 1)
  const ids = async () => (await secretary.get(path)).body.data.records.map((one: { id: string }) => one.id)
  expect(await ids()).toEqual(expect.arrayContaining([commune.id, other.id, id]))
  await sql`update app_sources set commune_ids = array[${commune.id}::uuid] where code = 'mairie'`.execute(db)
  const shown = await ids()
  expect(shown).toContain(commune.id)
  expect(shown).not.toContain(other.id)
  expect(shown).not.toContain(id)
  await sql`update app_sources set commune_ids = null where code = 'mairie'`.execute(db)
})

test('GET /me/acteurs/{acteurId}/readings refuses others than members, and what is no publication', async () => {
  expect(await clubOwner.get(path)).toBeError(403, 'scope_violation')
  expect(await secretary.get(`/me/acteurs/${uuidv7()}/readings`)).toBeError(404, 'not_found')
  expect(await secretary.get(`${path}?publication_id=fete`)).toBeError(422, 'validation_failed')
  expect(await secretary.get(`${path}?page=1`)).toBeError(422, 'validation_failed')
})

test('GET /admin/publications/{id}/readings returns 200 with what its members see, also once it is deleted', async () => {
  const admin = await world.as('admin')
  const { id } = await insertPublication(world, { title: 'Loto', acteur_id: hall.id, commune_id: commune.id })
  const at = `/admin/publications/${id}/readings`
  expect((await admin.get(at)).body.data.records).toEqual([
    { kind: 'publication', id, title: 'Loto', last_30_days: 0, total: 0 },
  ])
  await read('publication', id, '2026-11-27', 4)
  const { status, body } = await admin.get(at)
  expect([status, body.data]).toEqual([200, (await secretary.get(`${path}?publication_id=${id}`)).body.data])
  expect(body.data.days).toEqual(daysWith({ '2026-11-27': 4 }))
  await sql`update publications set deleted_at = now() where id = ${id}`.execute(db)
  expect((await admin.get(at)).body.data.records).toMatchObject([{ id, total: 4 }])
  expect(await admin.get(`/admin/publications/${uuidv7()}/readings`)).toBeError(404, 'not_found')
})

test('reads the numbers with one statement', async () => {
  const from = await statementsAbout(/from readings/, () => secretary.get(path))
  expect(from).toHaveLength(1)
})

test('says that an edge cache answers some readings', async () => {
  const edge = await openWorld({ database: world.database, env: { CDN: 'on' } })
  const { token } = await edge.user({ memberships: [{ acteur: hall }] })
  const { body } = await edge.client({ source: 'public', token }).get(path)
  expect(body.data.behind_edge).toBe(true)
})
