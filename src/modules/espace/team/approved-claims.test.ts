import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/support/browser-client.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { newestMail } from '../../sign-in/sign-in.test-kit.ts'

const world = await openWorld()
const { acteur, user, as, client, post, db } = world
const admin = await as('admin')

const editor = { role: 'editor', permissions: ['manage_publications'] }

/** An acteur that has invited an address, whose reader has claimed it. */
async function claimed() {
  const of = await acteur({ valide: true })
  const { token } = await user({ memberships: [{ acteur: of, role: 'owner' }] })
  const email = `invited-${uuidv7()}@example.org`
  const owner = client({ token })
  const { body } = await owner.post(`/me/acteurs/${of.id}/members`, { email, ...editor })
  const claim = await post('/claims', { acteur_id: of.id, message: 'Je préside le club.', email })
  const approve = async () =>
    (await admin.patch(`/admin/claims/${claim.body.data.id}`, { status: 'approved' })).body.data
  return { of, email, invitation: body.data.user_id as string, approve }
}

/** Signs in as the reader of an address. */
async function readerOf(email: string) {
  const browser = createBrowser(client)
  await browser.post('/auth/email', { email })
  const { code } = await newestMail(db)
  expect((await browser.post('/auth/email/verify', { code })).status).toBe(200)
  return browser
}

test('an approved claim makes somebody invited an owner, who stays one by accepting', async () => {
  const { of, email, invitation, approve } = await claimed()
  await approve()
  const reader = await readerOf(email)
  const acteurs = async () => (await reader.get('/me')).body.data.acteurs
  const asOwner = [{ acteur_id: of.id, role: 'owner', permissions: [] }]
  expect(await acteurs()).toMatchObject(asOwner)
  expect((await reader.post(`/me/invitations/${invitation}/accept`)).status).toBe(200)
  expect(await acteurs()).toMatchObject(asOwner)
})

test('the undo of an approval leaves the invitation open', async () => {
  const { of, email, invitation, approve } = await claimed()
  const { decision_id } = await approve()
  const undone = await admin.post(`/admin/decisions/${decision_id}/undo`)
  expect(undone.body.meta).toEqual({ undone: 1, changed_since: 0 })
  const reader = await readerOf(email)
  expect((await reader.get('/me')).body.data).toMatchObject({
    acteurs: [],
    invitations: [{ id: invitation }],
  })
  await reader.post(`/me/invitations/${invitation}/accept`)
  expect((await reader.get('/me')).body.data.acteurs).toMatchObject([{ acteur_id: of.id, ...editor }])
})

test('the undo of an approval keeps the rights of somebody who has accepted since', async () => {
  const { of, email, invitation, approve } = await claimed()
  const { decision_id } = await approve()
  const reader = await readerOf(email)
  await reader.post(`/me/invitations/${invitation}/accept`)
  await admin.post(`/admin/decisions/${decision_id}/undo`)
  expect((await reader.get('/me')).body.data.acteurs).toMatchObject([{ acteur_id: of.id }])
})
