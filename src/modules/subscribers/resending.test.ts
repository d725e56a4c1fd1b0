import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { groupsKit } from '../alertes/groups.test-kit.ts'
import { subscribersKit } from './subscribers.test-kit.ts'

const world = await openWorld({ env: { MAIL_RATE: '1000' } })
const { db } = world
const { subscribe, mailer, expand, send, broadcastOf, statuses } = subscribersKit(world)
const { openGroup } = await groupsKit(world)
const { commune: town, hall, secretary: editor, clubOwner } = await openMairie(world)
const ofTown = `/mairie/communes/${town.id}/alertes`

beforeEach(async () => {
  await sql`delete from broadcasts`.execute(db)
  await sql`delete from resident_subscribers`.execute(db)
})

/** Sends an alerte to six, for two of whom nobody knows the outcome. */
async function sendUncertain(path = ofTown) {
  await subscribe(6, [town.id])
  const { body } = await editor.post(path, { titre: 'Eau', message: 'Coupée.', niveau: 'info' })
  const alerte: string = body.data.id
  const id = (await broadcastOf(alerte))?.id ?? ''
  const driven = mailer(({ to }) =>
    /-[01]@/.test(to) ? { status: 'uncertain', error: 'cut' } : { status: 'sent' },
  )
  await expand(driven, id)
  await send(driven, id)
  expect(await statuses(id)).toEqual({ sent: 4, uncertain: 2 })
  return { alerte, id, path: `${ofTown}/${alerte}/resend` }
}
const reachOf = async (alerte: string) =>
  (await editor.get(`/mairie/communes/${town.id}/reach`)).body.data.alertes.find(
    ({ id }: { id: string }) => id === alerte,
  )

test.each([
  ['a commune', ofTown],
  ['its mairie', `/mairie/acteurs/${hall.id}/alertes`],
])('POST …/resend sends an alerte of %s again to the uncertain alone, once', async (_of, from) => {
  const { alerte, id, path } = await sendUncertain(from)
  expect(await reachOf(alerte)).toMatchObject({ sent: 4, uncertain: 2, can_resend: true })
  const { status, body } = await editor.post(path)
  expect([status, body]).toEqual([200, { data: { count: 2 } }])
  expect(await statuses(id)).toEqual({ sent: 4, queued: 2 })
  const driven = mailer(({ to }) =>
    to.includes('-0@') ? { status: 'uncertain', error: 'cut' } : { status: 'sent' },
  )
  await send(driven, id)
  expect(driven.accepted.map(({ to }) => to)).toEqual(['zoe-1@example.org'])
  expect(await broadcastOf(alerte)).toMatchObject({ status: 'ended', recipients: 6, sent: 5, uncertain: 1 })
  expect(await reachOf(alerte)).toMatchObject({ sent: 5, uncertain: 1, can_resend: false })
  expect(await editor.post(path)).toBeError(409, 'conflict')
  const { rows } = await sql`
    select after from audit_log where action = 'notification.resend' and entity_id = ${alerte}`.execute(db)
  expect(rows).toEqual([{ after: { kind: 'alerte', count: 2 } }])
})

test('POST /mairie/acteurs/{acteurId}/alertes/{id}/resend sends an alert of a group again to the uncertain', async () => {
  const group = await openGroup([town.id])
  await subscribe(2, [town.id])
  const { id } = await group.alert()
  const broadcast = (await broadcastOf(id))?.id ?? ''
  const driven = mailer({ status: 'uncertain', error: 'cut' })
  await expand(driven, broadcast)
  await expect(send(driven, broadcast)).rejects.toThrow('cut')
  const path = `${group.path}/${id}/resend`
  const reader = await group.member(['manage_publications'])
  expect(await reader.post(path)).toBeError(403, 'forbidden')
  expect(await editor.post(path)).toBeError(403, 'scope_violation')
  expect(await editor.post(`${ofTown}/${id}/resend`)).toBeError(404, 'not_found')
  expect(await group.owner.post(`${group.path}/${uuidv7()}/resend`)).toBeError(404, 'not_found')
  const { status, body } = await group.owner.post(path)
  expect([status, body]).toEqual([200, { data: { count: 2 } }])
  expect(await statuses(broadcast)).toEqual({ queued: 2 })
  expect(await group.owner.post(path)).toBeError(409, 'conflict')
})

test('POST …/resend returns 409 when the alerte has ended, or nothing is uncertain', async () => {
  const { alerte, id, path } = await sendUncertain()
  await sql`update alertes set fin = now() - interval '1 second', debut = '2026-01-01' where id = ${alerte}`.execute(
    db,
  )
  expect(await reachOf(alerte)).toMatchObject({ can_resend: false })
  expect(await editor.post(path)).toBeError(409, 'conflict')
  await sql`update alertes set fin = null where id = ${alerte}`.execute(db)
  await sql`delete from resident_subscribers where id in (
    select subscriber_id from broadcast_deliveries where broadcast_id = ${id} and status = 'uncertain')`.execute(
    db,
  )
  expect(await editor.post(path)).toBeError(409, 'conflict')
})

test('POST …/resend returns 403 to others than writers of alertes, and 404 for an alerte of elsewhere', async () => {
  const { path } = await sendUncertain()
  expect(await clubOwner.post(path)).toBeError(403, 'scope_violation')
  expect(await editor.post(`${ofTown}/${uuidv7()}/resend`)).toBeError(404, 'not_found')
})

test('POST …/resend returns 422 when its Idempotency-Key is malformed, and sends nothing', async () => {
  const { alerte, path } = await sendUncertain()
  expect(await editor.post(path, undefined, { headers: { 'idempotency-key': 'not a key' } })).toBeError(
    422,
    'validation_failed',
  )
  expect(await reachOf(alerte)).toMatchObject({ uncertain: 2, can_resend: true })
})

test('of concurrent requests to send an alerte again one succeeds', async () => {
  const { path } = await sendUncertain()
  const answers = await Promise.all([editor.post(path), editor.post(path)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})
