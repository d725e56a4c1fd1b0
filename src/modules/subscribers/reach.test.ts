import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { groupsKit } from '../alertes/groups.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { queueWeeklyMails } from './broadcasts/actualites.ts'
import { subscribersKit } from './subscribers.test-kit.ts'
import { leave } from './subscribing.ts'

const world = await openWorld({ env: { MAIL_RATE: '1000' } })
const { db, jobs } = world
const { subscribe, mailer, expand, send, broadcastOf, signal, addresses } = subscribersKit(world)
const { commune: town, hall, secretary: editor, clubOwner } = await openMairie(world)
const path = `/mairie/communes/${town.id}/reach`

test('GET /mairie/communes/{communeId}/reach returns 200 with the numbers of subscribers and of what each got', async () => {
  expect((await editor.get(path)).body.data).toMatchObject({ subscribers: [], alertes: [], publications: [] })
  const kept = await subscribe(4, [town.id])
  await subscribe(1, [(await world.commune()).id], 'all', 'elsewhere')
  await sql`
    update resident_choices set collectes_hour = 19, actualites = true where subscriber_id = ${kept[0]?.id}`.execute(
    db,
  )
  await sql`update resident_choices set confirmed_at = null where subscriber_id = ${kept[3]?.id}`.execute(db)
  const alerte = { titre: 'Eau', message: 'Coupée.', niveau: 'info' }
  const ofTown = await editor.post(`/mairie/communes/${town.id}/alertes`, alerte)
  const ofHall = await editor.post(`/mairie/acteurs/${hall.id}/alertes`, alerte)
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const toCome = await editor.post(`/mairie/communes/${town.id}/alertes`, { ...alerte, debut: later })
  const isSending = async () =>
    (await editor.get(path)).body.data.alertes.map((one: { is_sending: boolean }) => one.is_sending)
  // The newest first: one that begins later, of the mairie, of the commune.
  expect(await isSending()).toEqual([false, true, true])
  await editor.delete(`/mairie/communes/${town.id}/alertes/${toCome.body.data.id}`)
  const sent = async (id: string, driven: Parameters<typeof expand>[0]) => {
    await expand(driven, id)
    // Throws where nothing gets through.
    await send(driven, id).catch(() => null)
  }
  const refusal = { status: 'failed', retry: false, error: '550', refused: 'recipient' } as const
  await sent((await broadcastOf(ofTown.body.data.id))?.id ?? '', mailer())
  const some = mailer((mail) =>
    mail.to === 'zoe-0@example.org' ? refusal : { status: 'uncertain', error: 'cut' },
  )
  await sent((await broadcastOf(ofHall.body.data.id))?.id ?? '', some)
  const { id: publication, title } = await insertPublication(world, {
    ...{ id: uuidv7(), publie_le: new Date('2026-11-19T08:00:00Z'), commune_ids: [town.id] },
  })
  await sql`update resident_choices set confirmed_at = '2026-11-20' where confirmed_at is not null`.execute(
    db,
  )
  await queueWeeklyMails({ db, jobs, clock: () => new Date('2026-11-20T15:00:30Z') }, signal)
  const weekly = await db
    .selectFrom('broadcasts')
    .select('id')
    .where('kind', '=', 'actualites')
    .executeTakeFirst()
  await sent(weekly?.id ?? '', mailer())
  const { status, body } = await editor.get(path)
  expect([status, body.data]).toEqual([
    200,
    {
      subscribers: [
        { kind: 'alertes', channel: 'email', count: 3 },
        { kind: 'collectes', channel: 'email', count: 1 },
        { kind: 'actualites', channel: 'email', count: 1 },
      ],
      // One of the four was gained by hand, and is not confirmed.
      changes: { since: expect.any(String), months: [{ month: expect.any(String), gained: 4, lost: 0 }] },
      alertes: [
        {
          ...{ id: ofHall.body.data.id, titre: 'Eau', sent: 0, failed: 1, uncertain: 2 },
          ...{ can_resend: true, is_sending: true },
        },
        {
          ...{ id: ofTown.body.data.id, titre: 'Eau', sent: 3, failed: 0, uncertain: 0 },
          ...{ can_resend: false, is_sending: false },
        },
      ],
      publications: [{ id: publication, title, sent: 1, failed: 0, uncertain: 0 }],
    },
  ])
})

test('GET /mairie/communes/{communeId}/reach returns 403 to others than members, and 404 for an unknown commune', async () => {
  expect(await clubOwner.get(path)).toBeError(403, 'scope_violation')
  expect(await editor.get(`/mairie/communes/${uuidv7()}/reach`)).toBeError(404, 'not_found')
})

test('GET /mairie/communes/{communeId}/reach returns 422 for any parameter', async () => {
  expect(await editor.get(`${path}?page=1`)).toBeError(422, 'validation_failed')
})

test('GET /mairie/acteurs/{acteurId}/reach returns 200 with each resident of its communes counted once', async () => {
  const { openGroup } = await groupsKit(world)
  const [amont, aval, other] = [await world.commune(), await world.commune(), await world.commune()]
  const group = await openGroup([amont.id, aval.id])
  const ofGroup = `/mairie/acteurs/${group.acteur.id}/reach`
  await subscribe(3, [amont.id, aval.id], 'all', 'both')
  await subscribe(2, [aval.id], 'urgent', 'aval')
  const [gone] = await subscribe(1, [amont.id], 'all', 'gone')
  const [news] = await subscribe(1, [aval.id], 'all', 'news')
  await sql`
    update resident_choices set alertes = 'none', actualites = true where subscriber_id = ${news?.id}`.execute(
    db,
  )
  await subscribe(4, [other.id], 'all', 'other')
  await leave(db, addresses, gone?.token ?? '', null)
  const { id } = await group.alert()
  const driven = mailer(({ to }) =>
    to.startsWith('both-0') ? { status: 'uncertain', error: 'cut' } : { status: 'sent' },
  )
  const broadcast = (await broadcastOf(id))?.id ?? ''
  await expand(driven, broadcast)
  await send(driven, broadcast)
  const reader = await group.member([])
  const { status, body } = await reader.get(ofGroup)
  expect([status, body.data]).toEqual([
    200,
    {
      subscribers: 5,
      // A resident who follows both communes was gained by each.
      changes: { since: expect.any(String), months: [{ month: expect.any(String), gained: 10, lost: 1 }] },
      alertes: [{ id, titre: 'Eau', sent: 2, failed: 0, uncertain: 1, can_resend: true, is_sending: false }],
    },
  ])
  const countIn = async (...ids: string[]) =>
    (await reader.get(`${ofGroup}?commune_ids=${ids.join(',')}`)).body.data.subscribers
  expect([await countIn(amont.id), await countIn(amont.id, aval.id), await countIn(other.id)]).toEqual([
    3, 5, 0,
  ])
  const changesIn = async (id: string) =>
    (await reader.get(`${ofGroup}?commune_ids=${id}`)).body.data.changes.months
  expect(await changesIn(amont.id)).toMatchObject([{ gained: 4, lost: 1 }])
  expect(await changesIn(other.id)).toMatchObject([{ gained: 0, lost: 0 }])
})

test('GET /mairie/acteurs/{acteurId}/reach refuses others than members, and what is no commune', async () => {
  const ofHall = `/mairie/acteurs/${hall.id}/reach`
  expect((await editor.get(ofHall)).status).toBe(200)
  expect(await clubOwner.get(ofHall)).toBeError(403, 'scope_violation')
  expect(await editor.get(`/mairie/acteurs/${uuidv7()}/reach`)).toBeError(404, 'not_found')
  expect(await editor.get(`${ofHall}?commune_ids=elsewhere`)).toBeError(422, 'validation_failed')
})
