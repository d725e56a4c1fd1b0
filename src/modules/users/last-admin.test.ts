import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import type { Role } from '../../platform/access/areas.ts'

const { user, db, client } = await openWorld()
const young = await openWorld()
const rounds = process.env.PARVIS_TEST_LONG ? 20 : 2

const signIn = ({ token }: { token: string }) => client({ source: 'backoffice', token })
const [ada, bob, platform] = [await user(), await user(), await user({ roles: ['platform_admin'] })]
const [asAda, asBob, asPlatform] = [signIn(ada), signIn(bob), signIn(platform)]
const at = ({ id }: { id: string }) => `/admin/users/${id}`
const adminRole = (one: { id: string }) => `${at(one)}/roles/admin`

/** Makes exactly these enabled users administrators. */
async function setAdmins(...ones: { id: string }[]) {
  const role: Role = 'admin'
  await db.updateTable('users').set({ actif: true }).execute()
  const given = ones.map(({ id }) => ({ user_id: id, role }))
  await db
    .insertInto('user_roles')
    .values(given)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const others = db.deleteFrom('user_roles').where('role', '=', role)
  const ids = ones.map(({ id }) => id)
  await others.where('user_id', 'not in', ids).execute()
}

async function enabledAdmins(): Promise<number> {
  const query = db
    .selectFrom('user_roles')
    .innerJoin('users', 'users.id', 'user_id')
    .where('role', '=', 'admin')
  return (await query.where('actif', '=', true).select('user_id').execute()).length
}

beforeEach(() => setAdmins(ada, bob))

test('without any admin users can still be disabled', async () => {
  const platformAdmin = await young.as('platform_admin')
  const { status } = await platformAdmin.patch(at(await young.user()), { actif: false })
  expect(status).toBe(200)
})

test('without an enabled admin a disabled user can still lose the role', async () => {
  const platformAdmin = await young.as('platform_admin')
  const disabled = await young.user({ actif: false })
  expect((await platformAdmin.post(`${at(disabled)}/roles`, { role: 'admin' })).status).toBe(200)
  expect((await platformAdmin.delete(adminRole(disabled))).status).toBe(200)
})

test('the last enabled admin cannot be removed or disabled, by themselves or a platform_admin', async () => {
  await setAdmins(ada)
  for (const by of [asAda, asPlatform]) {
    expect(await by.delete(adminRole(ada))).toBeError(409, 'last_admin')
    expect(await by.patch(at(ada), { actif: false, nom: 'Autre' })).toBeError(409, 'last_admin')
  }
  expect((await asAda.get(at(ada))).body.data).toMatchObject({ actif: true, roles: ['admin'], nom: null })
  await asAda.post(`${at(bob)}/roles`, { role: 'admin' })
  expect((await asAda.delete(adminRole(ada))).status).toBe(200)
})

test('a disabled admin does not count', async () => {
  expect((await asAda.patch(at(bob), { actif: false })).status).toBe(200)
  expect(await asAda.delete(adminRole(ada))).toBeError(409, 'last_admin')
  expect((await asAda.delete(adminRole(bob))).status).toBe(200)
})

const removeBob = () => asAda.delete(adminRole(bob))
const removeAda = () => asBob.delete(adminRole(ada))
const disableBob = () => asAda.patch(at(bob), { actif: false })
const disableAda = () => asBob.patch(at(ada), { actif: false })
const byPlatform = [
  () => asPlatform.delete(adminRole(ada)),
  () => asPlatform.delete(adminRole(bob)),
  () => asPlatform.patch(at(ada), { actif: false }),
  () => asPlatform.patch(at(bob), { actif: false }),
]

const giveAda = () => asPlatform.post(`${at(ada)}/roles`, { role: 'admin' })

test.each([
  ['each removes the other', [ada, bob], [removeBob, removeAda]],
  ['each disables the other', [ada, bob], [disableBob, disableAda]],
  ['one removes, one disables', [ada, bob], [removeBob, disableAda]],
  ['somebody removes and disables both', [ada, bob], byPlatform],
  ['one is made admin and disabled while the other is removed', [bob], [giveAda, ...byPlatform.slice(1, 3)]],
])(
  'under concurrency, round after round, one admin remains: %s',
  async (_, admins, calls) => {
    for (let round = 0; round < rounds * 10; round++) {
      await setAdmins(...admins)
      const answers = await Promise.all(calls.map((call) => call()))
      expect(await enabledAdmins()).toBeGreaterThanOrEqual(1)
      // A user who was removed or disabled earlier has no permission.
      for (const { status, text } of answers) expect([200, 401, 403, 409], text).toContain(status)
    }
  },
  120_000,
)
