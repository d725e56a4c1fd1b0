import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/support/browser-client.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { newestMail } from '../../sign-in/sign-in.test-kit.ts'
import { expireInvitations } from './jobs.ts'

const world = await openWorld()
const { acteur, user, as, client, post, db } = world
const admin = await as('admin')
const { signal } = new AbortController()

const editor = { role: 'editor', permissions: ['manage_publications'] }

/** An acteur whose owner has invited an address. */
async function invited(rights: { role: string; permissions?: string[] }) {
  const of = await acteur({ valide: true })
  const made = await user({ memberships: [{ acteur: of, role: 'owner' }] })
  const owner = client({ token: made.token })
  const path = `/me/acteurs/${of.id}/members`
  const email = `invited-${uuidv7()}@example.org`
  const { body } = await owner.post(path, { email, ...rights })
  const at = `${path}/${body.data.user_id}`
  const membership = async () => (await owner.get(at)).body.data
  return { of, email, id: body.data.user_id as string, membership, owner, path }
}
type Invited = Awaited<ReturnType<typeof invited>>

/** Approves a claim from the invited address, and returns the decision. */
async function approve({ of, email, id }: Pick<Invited, 'of' | 'email' | 'id'>): Promise<string> {
  const claim = await post('/claims', { acteur_id: of.id, message: 'Je préside le club.', email })
  const { status, body } = await admin.patch(`/admin/claims/${claim.body.data.id}`, { status: 'approved' })
  expect(status).toBe(200)
  expect(body.data.user_id).toBe(id)
  return body.data.decision_id
}

/** Makes the open invitation of somebody end now. */
const endInvitation = ({ id }: Pick<Invited, 'id'>) =>
  sql`update actor_users set invited_until = now() where user_id = ${id} and invited_until is not null`.execute(
    db,
  )
/** The night after 14 days. */
async function afterInvitation(of: Pick<Invited, 'id'>): Promise<void> {
  await endInvitation(of)
  await expireInvitations(db, signal)
}

async function acteursOf(email: string) {
  const browser = createBrowser(client)
  await browser.post('/auth/email', { email })
  const { code } = await newestMail(db)
  expect((await browser.post('/auth/email/verify', { code })).status).toBe(200)
  return (await browser.get('/me')).body.data.acteurs
}

const undo = (decision: string) => admin.post(`/admin/decisions/${decision}/undo`)

test.each([
  ['an owner', { role: 'owner' }],
  ['an editor', editor],
])('an approved claim outlives the invitation of its address as %s', async (_, rights) => {
  const person = await invited(rights)
  await approve(person)
  expect(await person.membership()).toMatchObject({ role: 'owner', status: 'member', invited_until: null })
  await afterInvitation(person)
  expect(await acteursOf(person.email)).toMatchObject([{ acteur_id: person.of.id, role: 'owner' }])
})

test('an approved claim outlives an invitation that is over but not deleted yet', async () => {
  const person = await invited({ role: 'owner' })
  await endInvitation(person)
  await approve(person)
  await expireInvitations(db, signal)
  expect(await acteursOf(person.email)).toMatchObject([{ acteur_id: person.of.id, role: 'owner' }])
})

test('the approval of somebody invited is audited as a new ownership, and changes the version of the user', async () => {
  const person = await invited({ role: 'owner' })
  const version = async () => (await admin.get(`/admin/users/${person.id}`)).body.data.version
  const before = await version()
  await approve(person)
  expect(await version()).toBe(before + 1)
  const { before: was, after } = await db
    .selectFrom('audit_log')
    .select(['before', 'after'])
    .where('action', '=', 'claim.decide')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  expect(was).not.toHaveProperty('membership')
  expect(after).toMatchObject({ membership: 'owner', user_id: person.id })
})

test('the approval of an editor who never signed in starts the 180 days anew', async () => {
  const person = await invited(editor)
  await sql`
    update actor_users set created_at = now() - interval '170 days', invited_until = null where user_id = ${person.id}`.execute(
    db,
  )
  await approve(person)
  const { since } = await person.membership()
  expect(Date.now() - Date.parse(since)).toBeLessThan(86_400_000)
})

test.each([
  ['an owner', { role: 'owner' }],
  ['an editor', editor],
])('the undo of an approval restores the invitation as %s with its end', async (_, rights) => {
  const person = await invited(rights)
  const before = await person.membership()
  const decision = await approve(person)
  expect((await undo(decision)).body.meta).toEqual({ undone: 1, changed_since: 0 })
  const { version: _version, ...restored } = await person.membership()
  expect(before).toMatchObject(restored)
  expect(restored).toMatchObject({ status: 'invited', invited_until: expect.any(String) })
  await afterInvitation(person)
  expect((await person.owner.get(person.path)).body.data).toHaveLength(1)
})

test('the undo of an approval keeps the membership of somebody who has signed in since', async () => {
  const person = await invited(editor)
  const decision = await approve(person)
  await acteursOf(person.email)
  expect((await undo(decision)).body.meta.undone).toBe(1)
  expect(await person.membership()).toMatchObject({ ...editor, status: 'member', invited_until: null })
})

test('what an administrator adds to an invitation outlives it', async () => {
  const person = await invited(editor)
  const acteurs = [{ acteur_id: person.of.id, role: 'owner' }]
  expect((await admin.patch(`/admin/users/${person.id}`, { acteurs })).status).toBe(200)
  expect(await person.membership()).toMatchObject({ role: 'owner', status: 'member', invited_until: null })
  await afterInvitation(person)
  expect(await acteursOf(person.email)).toMatchObject([{ acteur_id: person.of.id, role: 'owner' }])
})

test('a change of another membership, or one that adds no right, leaves an invitation open until its end', async () => {
  const person = await invited(editor)
  const before = await person.membership()
  const elsewhere = { acteur_id: (await acteur()).id, role: 'editor' }
  const change = (rights: object) =>
    admin.patch(`/admin/users/${person.id}`, {
      acteurs: [{ acteur_id: person.of.id, ...rights }, elsewhere],
    })
  expect((await change(editor)).status).toBe(200)
  expect(await person.membership()).toEqual(before)
  expect((await change({ role: 'editor', permissions: [] })).status).toBe(200)
  expect(await person.membership()).toMatchObject({ permissions: [], invited_until: before.invited_until })
})
