import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'

const world = await openWorld({ env: { MAIL_RATE: '1000' } })
const { db } = world
const kit = subscribersKit(world)

/** An alerte of a commune of its own, told to one resident; a second one subscribes after that. */
async function told(values: object = {}) {
  const hall = await world.acteur({ type: 'mairie', valide: true })
  const town = await world.commune({ mairie_actor_id: hall.id })
  const owner = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const editor = world.client({ source: 'mairie', token: owner.token })
  const path = `/mairie/communes/${town.id}/alertes`
  const name = town.id.slice(-6)
  await kit.subscribe(1, [town.id], 'all', `told-${name}`)
  const body = { titre: 'Coupure', message: 'Rue du Puits, de 8 h à midi.', niveau: 'attention', ...values }
  const alerte = (await editor.post(path, body)).body.data
  await tell(alerte.id, 'alerte')
  await kit.subscribe(1, [town.id], 'all', `later-${name}`)
  const patch = (values: object) => editor.patch(`${path}/${alerte.id}`, values)
  return { id: alerte.id as string, town, name, patch }
}

/** Expands and sends a broadcast of an alerte. Returns the mails. */
async function tell(alerteId: string, kind: string) {
  const driven = kit.mailer()
  const id = (await kit.broadcastOf(alerteId, kind))?.id ?? ''
  await kit.expand(driven, id)
  await kit.send(driven, id)
  return driven.accepted
}
const corrections = async (alerteId: string) => {
  const { rows } = await sql`
    select from broadcasts where alerte_id = ${alerteId} and kind = 'alerte_correction'`.execute(db)
  return rows.length
}

test('a correction is told to those who were told of the alerte, and says that it is one', async () => {
  const { id, name, patch } = await told()
  expect((await patch({ message: 'Rue du Four.', notify: true })).status).toBe(200)
  const mails = await tell(id, 'alerte_correction')
  expect(mails.map(({ to }) => to)).toEqual([`told-${name}-0@example.org`])
  expect(mails[0]?.subject).toContain('Correction : Coupure')
  expect(mails[0]?.text).toContain('corrige celui que vous avez reçu')
  expect(mails[0]?.text).toContain('Rue du Four.')
  const entries = await sql<{ after: object }>`
    select after from audit_log where entity_id = ${id} and action = 'notification.send' and after->>'kind' <> 'alerte'`.execute(
    db,
  )
  expect(entries.rows[0]?.after).toMatchObject({ kind: 'alerte_correction', count: 1 })
})

test('a correction without notify is told to nobody, and may be told later, once', async () => {
  const { id, patch } = await told()
  await patch({ message: 'Rue du Four.' })
  expect(await corrections(id)).toBe(0)
  for (let time = 0; time < 2; time++) {
    expect((await patch({ notify: true })).status).toBe(200)
    expect(await corrections(id)).toBe(1)
    expect(await tell(id, 'alerte_correction')).toHaveLength(time === 0 ? 1 : 0)
  }
  // The same text again corrects nothing.
  await patch({ message: 'Rue du Four.', notify: true })
  expect(await tell(id, 'alerte_correction')).toEqual([])
  await patch({ titre: 'Coupure d’eau', notify: true })
  expect(await tell(id, 'alerte_correction')).toHaveLength(1)
})

test('an alerte that nobody changed has no correction', async () => {
  const { id, patch } = await told()
  expect((await patch({ notify: true })).status).toBe(200)
  expect(await corrections(id)).toBe(0)
})

test('a newer correction replaces one that has not left', async () => {
  const { id, patch } = await told()
  await patch({ message: 'Rue du Four.', notify: true })
  const first = (await kit.broadcastOf(id, 'alerte_correction'))?.id ?? ''
  await patch({ message: 'Rue du Moulin.', notify: true })
  expect(await tell(id, 'alerte_correction')).toMatchObject([
    { text: expect.stringContaining('Rue du Moulin.') },
  ])
  const driven = kit.mailer()
  await kit.expand(driven, first)
  await kit.send(driven, first)
  expect(driven.accepted).toEqual([])
})

test('a correction stops when the alerte is deleted or ends, and goes on when it is extended', async () => {
  const { id, patch } = await told()
  await patch({ message: 'Rue du Four.', notify: true })
  await patch({ fin: new Date(Date.now() - 1_000).toISOString() })
  expect(await tell(id, 'alerte_correction')).toEqual([])
  expect(await kit.broadcastOf(id, 'alerte_correction')).toMatchObject({ status: 'stopped' })
  await patch({ fin: null })
  expect(await tell(id, 'alerte_correction')).toHaveLength(1)
})

test('a PATCH with notify returns 422 for an alerte that has ended', async () => {
  const { patch } = await told()
  const fin = new Date(Date.now() - 1_000).toISOString()
  expect(await patch({ fin, notify: true })).toBeError(422, 'validation_failed')
  expect(await patch({ fin, notify: false })).toMatchObject({ status: 200 })
})
