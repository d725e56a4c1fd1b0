import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'

const { as, acteur, db } = await openWorld()
const admin = await as('admin')

const at = ({ id }: { id: string }) => `/admin/acteurs/${id}`
const auditEntries = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('at').orderBy('id').execute()

const decisions = [
  ['PATCH', 'validate', { valide: true }, 'acteur.validate'],
  ['PATCH', 'badge', { badge: 'Partenaire' }, 'acteur.badge'],
  ['PATCH', 'active', { active: false }, 'acteur.active'],
  ['POST', 'can-publish', { can_publish: true }, 'acteur.can_publish'],
] as const

test('PATCH /admin/acteurs/{id}/validate returns 200', () => expectDecision(0))
test('PATCH /admin/acteurs/{id}/badge returns 200', () => expectDecision(1))
test('PATCH /admin/acteurs/{id}/active returns 200', () => expectDecision(2))
test('POST /admin/acteurs/{id}/can-publish returns 200', () => expectDecision(3))

async function expectDecision(index: number) {
  const [method, name, state, action] = decisions[index] ?? decisions[0]
  const before = await acteur()
  const path = `${at(before)}/${name}`
  for (let time = 0; time < 2; time++) {
    const { status, body, headers } = await admin.send(method, path, state)
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { id: before.id, ...state, version: 2 },
    })
    expect(headers.get('etag')).toBe('"2"')
  }
  expect(await auditEntries(before.id)).toMatchObject([{ action, entity: 'acteur', after: state }])
  const stale = await admin.send(method, path, state, { headers: { 'if-match': '"1"' } })
  expect(stale).toBeError(412, 'precondition_failed')
}

test('validation, badge, activation and the permission to publish can each be reversed', async () => {
  const { id } = await acteur({ valide: true, badge: 'Or', active: false, can_publish: true })
  await admin.patch(`/admin/acteurs/${id}/validate`, { valide: false })
  await admin.patch(`/admin/acteurs/${id}/badge`, { badge: null })
  await admin.patch(`/admin/acteurs/${id}/active`, { active: true })
  const { body } = await admin.post(`/admin/acteurs/${id}/can-publish`, { can_publish: false })
  expect(body.data).toMatchObject({
    valide: false,
    badge: null,
    active: true,
    can_publish: false,
    version: 5,
  })
})

test('validating needs no body, and an empty body means true', async () => {
  for (const body of [undefined, {}]) {
    const answer = await admin.patch(`${at(await acteur())}/validate`, body)
    expect(answer.body.data.valide).toBe(true)
  }
})

test('PATCH /admin/acteurs/{id}/validate returns 422', () =>
  expectRefused(0, [{ valide: 'oui' }, { valid: true }]))
test('PATCH /admin/acteurs/{id}/badge returns 422', () =>
  expectRefused(1, [
    undefined,
    {},
    { badge: '' },
    { badge: ' ' },
    { badge: 'x'.repeat(51) },
    { badge: 'a\tb' },
    { badge: 1 },
  ]))
test('PATCH /admin/acteurs/{id}/active returns 422', () =>
  expectRefused(2, [undefined, {}, { active: null }]))
test('POST /admin/acteurs/{id}/can-publish returns 422', () =>
  expectRefused(3, [undefined, {}, { can_publish: 1 }]))

async function expectRefused(index: number, bodies: unknown[]) {
  const [method, name] = decisions[index] ?? decisions[0]
  const one = await acteur()
  for (const body of bodies)
    expect(await admin.send(method, `${at(one)}/${name}`, body)).toBeError(422, 'validation_failed')
}

test('accepts a badge of 50 characters, however many bytes they take', async () => {
  const badge = 'é🏅'.repeat(25)
  expect((await admin.patch(`${at(await acteur())}/badge`, { badge })).body.data?.badge).toBe(badge)
})

test('a deleted acteur can only be read and restored; everything else returns 409', async () => {
  const gone = await acteur({ deleted_at: new Date() })
  expect(await admin.patch(at(gone), { nom: 'X' })).toBeError(409, 'conflict')
  for (const [method, name, state] of decisions)
    expect(await admin.send(method, `${at(gone)}/${name}`, state), name).toBeError(409, 'conflict')
})
