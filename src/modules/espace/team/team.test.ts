import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/support/browser-client.ts'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { readMessage } from '../../../platform/mail/mail-servers.test-kit.ts'
import { mergeKit } from '../../acteurs/merge/merge.test-kit.ts'
import { newestMail } from '../../sign-in/sign-in.test-kit.ts'
import { expireInvitations } from './jobs.ts'

const world = await openWorld()
const { acteur, user, as, client, db, outbox, runJobs, database } = world
const { runMerge } = mergeKit(world)
const admin = await as('admin')
const { signal } = new AbortController()

type Role = 'owner' | 'editor'
async function member(of: { id: string }, role: Role = 'editor') {
  const made = await user({ memberships: [{ acteur: of, role }] })
  return { ...made, ...client({ token: made.token }) }
}
/** An acteur with its owner. */
async function team(values: Parameters<typeof acteur>[0] = {}) {
  const of = await acteur({ valide: true, ...values })
  return { of, owner: await member(of, 'owner'), path: `/me/acteurs/${of.id}/members` }
}
const newAddress = () => `invited-${uuidv7()}@example.org`
const editor = { role: 'editor', permissions: ['manage_publications'] }

/** Signs in by mail, as the reader of this address. */
async function signIn(email: string) {
  const browser = createBrowser(client)
  expect((await browser.post('/auth/email', { email })).status).toBe(202)
  const { code } = await newestMail(db)
  return { browser, answer: await browser.post('/auth/email/verify', { code }) }
}
const mailsTo = async (userId: string) => {
  const files = (await readdir(outbox)).filter((file) => file.includes(`${userId}`))
  return Promise.all(files.map(async (file) => readMessage(await readFile(join(outbox, file), 'utf8'))))
}
const auditOf = async (id: string) =>
  (await db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('seq').execute()).map(
    ({ action, before, after }) => ({ action, before, after }),
  )

test('POST /me/acteurs/{acteurId}/members invites an address without an account, which joins by signing in', async () => {
  const { of, owner, path } = await team({ nom: 'Boule des Accoules' })
  const email = newAddress()
  const { status, body, headers } = await owner.post(path, { email: email.toUpperCase(), ...editor })
  expect(status).toBe(201)
  const { user_id } = body.data
  expect(headers.get('location')).toBe(`/api/v1${path}/${user_id}`)
  expect(body.data).toMatchObject({
    email,
    ...editor,
    status: 'invited',
    email_verified: false,
    is_self: false,
  })
  expect((await owner.get(path)).body.data).toMatchObject([{ user_id: owner.id }, { user_id }])
  expect((await owner.get(`${path}/${user_id}`)).body.data).toEqual(body.data)
  const days = (Date.parse(body.data.invited_until) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(13.9)
  const { answer, browser } = await signIn(email)
  expect(answer.status).toBe(200)
  expect((await browser.get('/me')).body.data.acteurs).toMatchObject([{ acteur_id: of.id, ...editor }])
  expect((await owner.get(`${path}/${user_id}`)).body.data).toMatchObject({
    status: 'member',
    invited_until: null,
    email_verified: true,
  })
  expect((await auditOf(of.id))[0]).toEqual({
    action: 'acteur.member_add',
    before: null,
    after: { member_id: user_id, ...editor, invited: true },
  })
})

test('an invitation does nothing for somebody who is signed in as somebody else', async () => {
  const { of, owner, path } = await team()
  const other = await user()
  const email = newAddress()
  await owner.post(path, { email, ...editor })
  const { headers } = await openSession(db, other.id)
  const browser = client({ headers })
  expect((await browser.get('/me')).body.data.acteurs).toEqual([])
  expect(await browser.get(`/me/acteurs/${of.id}`)).toBeError(403, 'scope_violation')
  expect((await owner.get(path)).body.data).toHaveLength(2)
})

test('the invited and the new member with an account get one mail each, without a token', async () => {
  const { of, owner, path } = await team({ nom: 'Boule des Accoules' })
  const known = await user()
  const joined = await owner.post(path, { email: known.email, ...editor })
  expect(joined.status).toBe(201)
  expect(joined.body.data).toMatchObject({ user_id: known.id, status: 'member', invited_until: null })
  expect((await client({ token: known.token }).get('/me')).body.data.acteurs).toHaveLength(1)
  const invited = await owner.post(path, { email: newAddress(), ...editor })
  await runJobs()
  const mails = async (id: string) => {
    await until('the mail is in the outbox', async () => (await mailsTo(id)).length === 1)
    return mailsTo(id)
  }
  const space = `http://localhost:3000/backoffice/espace/${of.id}`
  const [welcome] = await mails(known.id)
  expect(welcome?.text).toContain(space)
  expect(welcome?.headers.get('Subject')).toBe('Vous faites partie de l’équipe de « Boule des Accoules »')
  const [invitation] = await mails(invited.body.data.user_id)
  expect(invitation?.text).toContain(space)
  expect(invitation?.text).not.toMatch(/token|#/)
})

test('POST /me/acteurs/{acteurId}/members happens once with an Idempotency-Key, and returns 409 for a member', async () => {
  const { owner, path } = await team()
  const body = { email: newAddress(), ...editor }
  const options = { headers: { 'idempotency-key': uuidv7() } }
  const first = await owner.post(path, body, options)
  expect(await owner.post(path, body, options)).toMatchObject({ status: 201, body: first.body })
  expect(await owner.post(path, body)).toBeError(409, 'conflict')
  expect((await owner.get(path)).body.data).toHaveLength(2)
  const disabled = await user({ actif: false })
  expect(await owner.post(path, { email: disabled.email, ...editor })).toBeError(409, 'conflict')
})

test('members say what may be done about them: the last owner stays one', async () => {
  const { of, owner, path } = await team()
  const can = async (id: string) => (await owner.get(`${path}/${id}`)).body.data.can
  expect(await can(owner.id)).toEqual([])
  const { body } = await owner.post(path, { email: newAddress(), role: 'owner' })
  expect(body.data.can).toEqual(['edit', 'delete'])
  // Somebody who is invited may never come.
  expect(await can(owner.id)).toEqual([])
  const other = await member(of, 'owner')
  expect(await can(owner.id)).toEqual(['edit', 'delete'])
  const { body: removed } = await owner.delete(`${path}/${other.id}`)
  expect(removed.data.can).toEqual([])
  expect(await can(owner.id)).toEqual([])
})

test('POST /me/acteurs/{acteurId}/members says why somebody cannot be added', async () => {
  const { of, owner, path } = await team()
  const refusal = async (email: string | null, language = 'fr') => {
    const headers = { 'accept-language': language }
    const answer = await owner.post(path, { email, ...editor }, { headers })
    expect(answer).toBeError(409, 'conflict')
    return answer.body.message
  }
  const email = newAddress()
  await owner.post(path, { email, ...editor })
  expect(await refusal(email)).toMatch(/^Cette adresse est déjà invitée/)
  const colleague = await member(of)
  expect(await refusal(colleague.email)).toBe('Cette personne fait déjà partie de l’équipe.')
  expect(await refusal(colleague.email, 'en')).toBe('This person is already part of the team.')
  // That the account is disabled is not for an owner to know.
  const disabled = await user({ actif: false })
  expect(await refusal(disabled.email)).toBe(
    'Cette adresse ne peut pas être ajoutée à l’équipe. L’assistance peut vous aider.',
  )
  await sql`
    with made as (insert into users (id, email)
      select gen_random_uuid(), 'n' || n || '@full.example' from generate_series(1, 197) n returning id)
    insert into actor_users (acteur_id, user_id, role) select ${of.id}, id, 'editor' from made`.execute(db)
  expect(await refusal(newAddress())).toMatch(/^L’équipe est au complet : elle compte 200 membres/)
})

test('POST /me/acteurs/{acteurId}/members returns 404 for an acteur that does not exist', async () => {
  const body = { email: newAddress(), ...editor }
  expect(await admin.post(`/me/acteurs/${uuidv7()}/members`, body)).toBeError(404, 'not_found')
})

test('POST /me/acteurs/{acteurId}/members returns 422 for an address or a permission that cannot be', async () => {
  const { owner, path } = await team()
  for (const body of [
    { email: 'zoe@', ...editor },
    { email: newAddress(), role: 'emperor' },
    { email: newAddress(), role: 'editor', permissions: ['rule'] },
    { email: newAddress(), role: 'editor', permissions: ['manage_commune'] },
    { role: 'editor' },
  ])
    expect(await owner.post(path, body), JSON.stringify(body)).toBeError(422, 'validation_failed')
  const { owner: mayor, path: hall } = await team({ type: 'mairie' })
  const secretary = { email: newAddress(), role: 'editor', permissions: ['manage_commune'] }
  expect((await mayor.post(hall, secretary)).status).toBe(201)
})

test('naming an owner needs a fresh confirmation of the session', async () => {
  const { of, owner, path } = await team()
  const session = await openSession(db, owner.id)
  await run(
    database.owner,
    `update sessions set confirmed_until = now() - interval '1 ms' where id = '${session.id}'`,
  )
  const browser = client({ headers: session.headers })
  const colleague = await member(of)
  const asOwner = { role: 'owner' }
  expect(await browser.post(path, { email: newAddress(), ...asOwner })).toBeError(
    403,
    'confirmation_required',
  )
  expect(await browser.patch(`${path}/${colleague.id}`, asOwner)).toBeError(403, 'confirmation_required')
  expect((await browser.post(path, { email: newAddress(), ...editor })).status).toBe(201)
  expect((await owner.patch(`${path}/${colleague.id}`, asOwner)).body.data).toMatchObject({
    role: 'owner',
    permissions: [],
  })
})

test('PATCH /me/acteurs/{acteurId}/members/{userId} changes permissions by version, and audits it', async () => {
  const { of, owner, path } = await team()
  const colleague = await member(of)
  const at = `${path}/${colleague.id}`
  const { body, headers } = await owner.patch(at, { permissions: ['publish_publications', 'manage_page'] })
  expect(body.data).toMatchObject({ permissions: ['manage_page', 'publish_publications'], version: 2 })
  expect(headers.get('etag')).toBe('"2"')
  expect(await owner.patch(at, { permissions: [] }, { headers: { 'if-match': '"1"' } })).toBeError(
    412,
    'precondition_failed',
  )
  // Nothing changes, and nothing is audited.
  expect((await owner.patch(at, { role: 'editor' })).body.data.version).toBe(2)
  expect(await auditOf(of.id)).toEqual([
    {
      action: 'acteur.member_update',
      before: { permissions: [] },
      after: { permissions: ['manage_page', 'publish_publications'], member_id: colleague.id },
    },
  ])
  expect(await owner.patch(`${path}/${uuidv7()}`, {})).toBeError(404, 'not_found')
  expect(await owner.patch(at, { permissions: ['rule'] })).toBeError(422, 'validation_failed')
})

test('PATCH /me/acteurs/{acteurId}/members/{userId} drops manage_commune of an acteur that is no mairie any more', async () => {
  const { of, owner, path } = await team({ type: 'mairie' })
  const held = ['manage_commune', 'manage_page']
  const add = async () =>
    (await owner.post(path, { email: newAddress(), role: 'editor', permissions: held })).body.data.user_id
  const [one, other, third] = [await add(), await add(), await add()]
  expect((await admin.patch(`/admin/acteurs/${of.id}`, { type: 'service' })).status).toBe(200)
  const change = (id: string, body: object) => owner.patch(`${path}/${id}`, body)
  expect((await change(one, { role: 'editor' })).body.data).toMatchObject({ permissions: ['manage_page'] })
  const permissions = [...held, 'manage_publications']
  expect((await change(other, { permissions })).body.data).toMatchObject({
    permissions: ['manage_page', 'manage_publications'],
  })
  // Now it would be added.
  expect(await change(other, { permissions })).toBeError(422, 'validation_failed')
  expect((await change(third, { role: 'owner' })).body.data).toMatchObject({ role: 'owner', permissions: [] })
})

test('the version of a user counts the changes of their memberships, for administrators', async () => {
  const { of, owner, path } = await team()
  const colleague = await member(of)
  const before = (await admin.get(`/admin/users/${colleague.id}`)).headers.get('etag') ?? ''
  await owner.patch(`${path}/${colleague.id}`, { permissions: ['manage_page'] })
  const stale = { headers: { 'if-match': before } }
  expect(await admin.patch(`/admin/users/${colleague.id}`, { acteurs: [] }, stale)).toBeError(
    412,
    'precondition_failed',
  )
})

test('only owners see and change the team; every member may leave', async () => {
  const { of, owner, path } = await team()
  const [leaving, staying] = [await member(of), await member(of)]
  expect(await leaving.get(path)).toBeError(403, 'forbidden')
  expect(await leaving.post(path, { email: newAddress(), ...editor })).toBeError(403, 'forbidden')
  expect(await leaving.patch(`${path}/${leaving.id}`, { role: 'owner' })).toBeError(403, 'forbidden')
  expect(await leaving.delete(`${path}/${staying.id}`)).toBeError(403, 'forbidden')
  expect(await leaving.delete(`${path}/${uuidv7()}`)).toBeError(403, 'forbidden')
  const left = await leaving.delete(`${path}/${leaving.id}`)
  expect(left.status).toBe(200)
  expect(left.body.data).toMatchObject({ user_id: leaving.id, role: 'editor' })
  expect(await leaving.delete(`${path}/${leaving.id}`)).toBeError(403, 'scope_violation')
  expect((await owner.get(path)).body.data).toHaveLength(2)
})

test('the last owner can neither leave nor become an editor, also for an administrator', async () => {
  const { of, owner, path } = await team()
  const at = `${path}/${owner.id}`
  await owner.post(path, { email: newAddress(), role: 'owner' })
  // An owner who never came, or who is disabled, is not enough.
  await user({ actif: false, memberships: [{ acteur: of, role: 'owner' }] })
  for (const by of [
    owner,
    client({ source: 'backoffice', token: (await user({ roles: ['admin'] })).token }),
  ]) {
    expect(await by.delete(at)).toBeError(409, 'last_owner')
    expect(await by.patch(at, { role: 'editor' })).toBeError(409, 'last_owner')
  }
  await member(of, 'owner')
  expect((await owner.delete(at)).status).toBe(200)
})

test('of two owners who leave at once, one stays', async () => {
  const { of, owner, path } = await team()
  const other = await member(of, 'owner')
  const leave = (one: typeof owner) => one.delete(`${path}/${one.id}`)
  let leaving: ReturnType<typeof leave>[] = []
  await db.transaction().execute(async (tx) => {
    await sql`select from acteurs where id = ${of.id} for update`.execute(tx)
    leaving = [leave(owner), leave(other)]
    await untilWaiting(db, 2)
  })
  const answers = await Promise.all(leaving)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('an owner who is removed while a change of theirs waits is refused', async () => {
  const { of, owner, path } = await team()
  const other = await member(of, 'owner')
  const colleague = await member(of)
  let waiting: ReturnType<typeof owner.patch> | undefined
  await db.transaction().execute(async (tx) => {
    await sql`select from acteurs where id = ${of.id} for update`.execute(tx)
    waiting = other.patch(`${path}/${colleague.id}`, { role: 'owner' })
    await untilWaiting(db)
    await sql`delete from actor_users where acteur_id = ${of.id} and user_id = ${other.id}`.execute(tx)
  })
  expect(await waiting).toBeError(403, 'scope_violation')
  expect((await owner.get(`${path}/${colleague.id}`)).body.data.role).toBe('editor')
})

test('a withdrawn or expired invitation deletes the address for which nothing else waits', async () => {
  const { of, owner, path } = await team()
  const { owner: elsewhere, path: also } = await team()
  const [withdrawn, expired, both] = [newAddress(), newAddress(), newAddress()]
  const invite = async (by: typeof owner, at: string, email: string): Promise<string> =>
    (await by.post(at, { email, ...editor })).body.data.user_id
  const first = await invite(owner, path, withdrawn)
  await invite(owner, path, expired)
  const shared = await invite(owner, path, both)
  expect(await invite(elsewhere, also, both)).toBe(shared)
  expect((await owner.delete(`${path}/${first}`)).status).toBe(200)
  expect((await auditOf(of.id)).at(-1)).toEqual({
    action: 'acteur.member_remove',
    before: { member_id: first, ...editor, invited: true },
    after: null,
  })
  await sql`update actor_users set invited_until = now() where acteur_id = ${of.id} and invited_until is not null`.execute(
    db,
  )
  expect((await owner.get(path)).body.data).toHaveLength(1)
  // Whoever comes too late finds nothing.
  expect((await (await signIn(expired)).browser.get('/me')).body.data.acteurs).toEqual([])
  const late = newAddress()
  await invite(owner, path, late)
  await sql`update actor_users set invited_until = now() where acteur_id = ${of.id} and invited_until is not null`.execute(
    db,
  )
  expect(await expireInvitations(db, signal)).toBe(2)
  const left = await db
    .selectFrom('users')
    .select('email')
    .where('email', 'in', [withdrawn, both, late])
    .execute()
  expect(left).toEqual([{ email: both }])
  expect((await auditOf(of.id)).filter(({ action }) => action === 'acteur.invitation_expire')).toHaveLength(2)
  expect((await elsewhere.get(also)).body.data).toHaveLength(2)
})

test('an invitation follows its acteur through a merge', async () => {
  const { of, owner, path } = await team()
  const { of: target } = await team()
  const email = newAddress()
  await owner.post(path, { email, ...editor })
  await admin.post(`/admin/acteurs/${of.id}/merge`, { into: target.id })
  await runMerge(of)
  expect((await owner.get(path)).body.data).toEqual(
    expect.arrayContaining([expect.objectContaining({ email, status: 'invited' })]),
  )
  const { browser } = await signIn(email)
  expect((await browser.get('/me')).body.data.acteurs).toMatchObject([{ acteur_id: target.id }])
})

test('whom an administrator invites to the back-office keeps the invitation to a team', async () => {
  const { of, owner, path } = await team()
  const email = newAddress()
  await owner.post(path, { email, ...editor })
  expect((await admin.post('/admin/users', { email, roles: ['support'] })).status).toBe(201)
  const members = (await owner.get(path)).body.data
  expect(members).toEqual(expect.arrayContaining([expect.objectContaining({ email, status: 'member' })]))
  const { browser } = await signIn(email)
  expect((await browser.get('/me')).body.data.acteurs).toMatchObject([{ acteur_id: of.id }])
})

test('erasing an invited person deletes their invitation', async () => {
  const { owner, path } = await team()
  const email = newAddress()
  await owner.post(path, { email, ...editor })
  expect((await admin.post('/admin/people/erase', { email })).status).toBe(200)
  expect((await owner.get(path)).body.data).toHaveLength(1)
})
