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
import { expireInvitations } from '../invitations/jobs.ts'

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

test('POST /me/acteurs/{acteurId}/members invites an address, whose reader joins by accepting', async () => {
  const { of, owner, path } = await team({ nom: 'Boule des Accoules' })
  const email = newAddress()
  const { status, body, headers } = await owner.post(path, { email: email.toUpperCase(), ...editor })
  expect(status).toBe(201)
  const { user_id } = body.data
  expect(headers.get('location')).toBe(`/api/v1${path}/${user_id}`)
  expect(body.data).toMatchObject({ email, ...editor, nom: null, status: 'invited', is_self: false })
  expect((await owner.get(path)).body.data).toMatchObject([{ user_id: owner.id }, { user_id }])
  expect((await owner.get(`${path}/${user_id}`)).body.data).toEqual(body.data)
  const days = (Date.parse(body.data.invited_until) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(13.9)
  const { answer, browser } = await signIn(email)
  expect(answer.status).toBe(200)
  const { id, acteurs, invitations } = (await browser.get('/me')).body.data
  expect(acteurs).toEqual([])
  expect(invitations).toMatchObject([{ acteur: { id: of.id, nom: 'Boule des Accoules' }, ...editor }])
  const at = `/me/invitations/${invitations[0].id}`
  expect((await browser.post(`${at}/accept`)).body.data).toEqual({ ...invitations[0], can: [] })
  expect((await browser.get('/me')).body.data).toMatchObject({
    acteurs: [{ acteur_id: of.id, ...editor }],
    invitations: [],
  })
  expect((await owner.get(path)).body.data).toMatchObject([
    { user_id: owner.id },
    { user_id: id, status: 'member', invited_until: null, email_verified: true },
  ])
  const rights = { invitation_id: user_id, ...editor }
  expect(await auditOf(of.id)).toEqual([
    { action: 'acteur.member_add', before: null, after: { ...rights, invited: true } },
    { action: 'acteur.member_join', before: null, after: { ...rights, member_id: id } },
  ])
  expect(await browser.post(`${at}/accept`)).toBeError(404, 'not_found')
})

test('an invitation says nothing about an account, and gives no right before it is accepted', async () => {
  const { of, owner, path } = await team()
  const unknown = newAddress()
  const zoes = newAddress()
  const known = await user({ nom: 'Zoé Lambert', subject: zoes, email: zoes, email_verified: true })
  const disabled = await user({ email: newAddress(), email_verified: true, actif: false })
  const claimant = await user({ issuer: 'https://id.example', email: newAddress(), email_verified: true })
  const answers = []
  for (const email of [unknown, known.email, disabled.email, claimant.email]) {
    const { status, body } = await owner.post(path, { email: email?.toUpperCase(), ...editor })
    const { user_id, email: shown, invited_until, since, ...answer } = body.data
    expect([known.id, disabled.id, claimant.id]).not.toContain(user_id)
    expect(shown).toBe(email)
    expect(Date.parse(invited_until)).toBeGreaterThan(Date.parse(since))
    answers.push(JSON.stringify({ status, ...answer }))
  }
  expect(new Set(answers).size).toBe(1)
  const { browser: zoe } = await signIn(zoes)
  expect((await zoe.get('/me')).body.data.acteurs).toEqual([])
  expect(await zoe.get(`/me/acteurs/${of.id}`)).toBeError(403, 'scope_violation')
  expect((await owner.get(path)).text).not.toContain('Zoé Lambert')
  const [{ id }] = (await zoe.get('/me')).body.data.invitations
  expect((await zoe.post(`/me/invitations/${id}/accept`)).status).toBe(200)
  expect((await owner.get(`${path}/${known.id}`)).body.data).toMatchObject({ nom: 'Zoé Lambert' })
})

test('POST /me/invitations/{id}/accept returns 404 to everybody but the reader of its address', async () => {
  const { of, owner, path } = await team()
  const email = newAddress()
  const { user_id: id } = (await owner.post(path, { email, ...editor })).body.data
  // An address that its account has not proven is anybody's.
  const unproven = await user({ issuer: 'https://id.example', email, email_verified: false })
  for (const other of [owner, client({ token: unproven.token }), client({ token: (await user()).token })]) {
    expect((await other.get('/me')).body.data.invitations).toEqual([])
    expect(await other.post(`/me/invitations/${id}/accept`)).toBeError(404, 'not_found')
    expect(await other.delete(`/me/invitations/${id}`)).toBeError(404, 'not_found')
  }
  expect(await client({ token: unproven.token }).get(`/me/acteurs/${of.id}`)).toBeError(
    403,
    'scope_violation',
  )
})

test('DELETE /me/invitations/{id} declines an invitation, which is then over', async () => {
  const { of, owner, path } = await team()
  const { email, token } = await user({ email_verified: true })
  const { user_id: id } = (await owner.post(path, { email, ...editor })).body.data
  const zoe = client({ token })
  const declined = await zoe.delete(`/me/invitations/${id}`)
  expect(declined.body.data).toMatchObject({ id, acteur: { id: of.id }, can: [] })
  expect((await zoe.get('/me')).body.data).toMatchObject({ acteurs: [], invitations: [] })
  expect((await owner.get(path)).body.data).toHaveLength(1)
  expect((await auditOf(of.id)).at(-1)).toEqual({
    action: 'acteur.invitation_decline',
    before: { invitation_id: id, ...editor, invited: true },
    after: null,
  })
  expect(await zoe.delete(`/me/invitations/${id}`)).toBeError(404, 'not_found')
})

test('whoever is a member by now keeps their rights when they accept, and gets those of the invitation', async () => {
  const { of, owner, path } = await team()
  const { id: userId, email, token } = await user({ email_verified: true })
  await owner.post(path, { email, ...editor })
  const acteurs = [{ acteur_id: of.id, role: 'editor', permissions: ['manage_page'] }]
  await admin.patch(`/admin/users/${userId}`, { acteurs })
  const zoe = client({ token })
  const [{ id }] = (await zoe.get('/me')).body.data.invitations
  await zoe.post(`/me/invitations/${id}/accept`)
  expect((await owner.get(`${path}/${userId}`)).body.data).toMatchObject({
    role: 'editor',
    permissions: ['manage_page', 'manage_publications'],
  })
})

test('everybody invited gets one mail, without a token, in the language of their account', async () => {
  const { owner, path } = await team({ nom: 'Boule des Accoules' })
  const known = await user({ email_verified: true })
  await db.updateTable('users').set({ langue: 'en' }).where('id', '=', known.id).execute()
  const disabled = await user({ email_verified: true, actif: false })
  const ids: string[] = []
  for (const email of [known.email, newAddress(), disabled.email])
    ids.push((await owner.post(path, { email, ...editor })).body.data.user_id)
  await runJobs()
  await until('both mails are in the outbox', async () => (await mailsTo(ids[1] ?? '')).length === 1)
  const [english] = await mailsTo(ids[0] ?? '')
  expect(english?.headers.get('Subject')).toBe('Join the team of “Boule des Accoules”')
  const [french] = await mailsTo(ids[1] ?? '')
  expect(french?.headers.get('Subject')).toBe('Rejoignez l’équipe de « Boule des Accoules »')
  for (const mail of [english, french]) {
    expect(mail?.text).toContain('http://localhost:3000/backoffice/espace\r\n')
    expect(mail?.text).not.toMatch(/token|#/)
  }
  // A disabled account cannot sign in to accept.
  expect(await mailsTo(ids[2] ?? '')).toEqual([])
})

test('POST /me/acteurs/{acteurId}/members happens once with an Idempotency-Key, and returns 409 for a member', async () => {
  const { owner, path } = await team()
  const body = { email: newAddress(), ...editor }
  const options = { headers: { 'idempotency-key': uuidv7() } }
  const first = await owner.post(path, body, options)
  expect(await owner.post(path, body, options)).toMatchObject({ status: 201, body: first.body })
  expect(await owner.post(path, body)).toBeError(409, 'conflict')
  expect((await owner.get(path)).body.data).toHaveLength(2)
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
  const clerk = { email: newAddress(), role: 'editor', permissions: ['publish_acts'] }
  expect(await owner.post(path, clerk)).toBeError(422, 'validation_failed')
  for (const type of ['mairie', 'intercommunalite'] as const) {
    const authority = await team({ type })
    expect((await authority.owner.post(authority.path, clerk)).status).toBe(201)
    const body = { ...clerk, email: newAddress(), permissions: ['manage_commune'] }
    expect((await authority.owner.post(authority.path, body)).status).toBe(201)
  }
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
  // The first one is a member, the others are invited.
  const { id: one } = await user({
    memberships: [{ acteur: of, permissions: ['manage_commune', 'manage_page'] }],
  })
  const [other, third] = [await add(), await add()]
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

const expireAll = (of: { id: string }) =>
  sql`update team_invitations set invited_until = now() where acteur_id = ${of.id}`.execute(db)

test('a withdrawn or expired invitation deletes the account that waited for its address alone', async () => {
  const { of, owner, path } = await team()
  const { owner: elsewhere, path: also } = await team()
  const [withdrawn, expired, both] = [newAddress(), newAddress(), newAddress()]
  const invite = async (by: typeof owner, at: string, email: string): Promise<string> =>
    (await by.post(at, { email, ...editor })).body.data.user_id
  const first = await invite(owner, path, withdrawn)
  await invite(owner, path, both)
  await invite(elsewhere, also, both)
  await invite(owner, path, expired)
  expect((await owner.delete(`${path}/${first}`)).status).toBe(200)
  expect((await auditOf(of.id)).at(-1)).toEqual({
    action: 'acteur.member_remove',
    before: { invitation_id: first, ...editor, invited: true },
    after: null,
  })
  await expireAll(of)
  expect((await owner.get(path)).body.data).toHaveLength(1)
  expect(await expireInvitations(db, signal)).toBe(2)
  const left = await db.selectFrom('users').select('email').where('email', 'in', [withdrawn, both, expired])
  expect(await left.execute()).toEqual([{ email: both }])
  expect((await auditOf(of.id)).filter(({ action }) => action === 'acteur.invitation_expire')).toHaveLength(2)
  expect((await elsewhere.get(also)).body.data).toHaveLength(2)
})

test('whoever comes after the end of an invitation finds none', async () => {
  const { of, owner, path } = await team()
  const email = newAddress()
  const { user_id: id } = (await owner.post(path, { email, ...editor })).body.data
  await expireAll(of)
  const { browser } = await signIn(email)
  expect((await browser.get('/me')).body.data).toMatchObject({ acteurs: [], invitations: [] })
  expect(await browser.post(`/me/invitations/${id}/accept`)).toBeError(404, 'not_found')
})

test('an address gets three mails a day over all acteurs, and one a day about the same', async () => {
  const email = newAddress()
  const teams = [await team(), await team(), await team(), await team()]
  const invite = async ({ owner, path }: (typeof teams)[number]) => {
    const { status, body } = await owner.post(path, { email, ...editor })
    expect([status, body.data.status]).toEqual([201, 'invited'])
    return body.data.user_id as string
  }
  const mailed = async (ids: string[]) => {
    await runJobs()
    return (await Promise.all(ids.map(mailsTo))).map(({ length }) => length)
  }
  const [first] = teams as [(typeof teams)[number]]
  const ids = [await invite(first)]
  // Before it is withdrawn: nobody is mailed about an invitation that is over.
  await until('the first mail is in the outbox', async () => (await mailed(ids))[0] === 1)
  for (const _ of [1, 2]) {
    await first.owner.delete(`${first.path}/${ids.at(-1)}`)
    ids.push(await invite(first))
  }
  for (const other of teams.slice(1)) ids.push(await invite(other))
  await until('the mails are in the outbox', async () => (await mailed(ids)).filter(Boolean).length === 3)
  expect(await mailed(ids)).toEqual([1, 0, 0, 1, 1, 0])
  // Also when the invitations are gone: a sweep keeps what the mails of a day are counted by.
  for (const [n, { owner, path }] of teams.entries())
    await owner.delete(`${path}/${ids[n === 0 ? 2 : n + 2]}`)
  await expireInvitations(db, signal)
  ids.push(await invite(first))
  expect((await mailed(ids)).at(-1)).toBe(0)
  await sql`update team_invitations set mailed_at = mailed_at - interval '1 day' where email = ${email}`.execute(
    db,
  )
  await first.owner.delete(`${first.path}/${ids.at(-1)}`)
  ids.push(await invite(first))
  await until('the mail of the next day', async () => (await mailed(ids)).at(-1) === 1)
})

test('POST /me/acteurs/{acteurId}/members invites an address once, of several at once', async () => {
  const { owner, path } = await team()
  const email = newAddress()
  const answers = await Promise.all([1, 2, 3].map(() => owner.post(path, { email, ...editor })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
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
  const [{ id, acteur: invitedBy }] = (await browser.get('/me')).body.data.invitations
  expect(invitedBy.id).toBe(target.id)
  await browser.post(`/me/invitations/${id}/accept`)
  expect((await browser.get('/me')).body.data.acteurs).toMatchObject([{ acteur_id: target.id }])
})

test('a merge leaves one of two invitations of an address, the open one', async () => {
  const [{ of, owner, path }, { of: target, owner: other, path: at }] = [await team(), await team()]
  const [both, one] = [newAddress(), newAddress()]
  for (const email of [both, one]) {
    await owner.post(path, { email, ...editor })
    const { user_id } = (await other.post(at, { email, ...editor })).body.data
    if (email === one) await other.delete(`${at}/${user_id}`)
  }
  await admin.post(`/admin/acteurs/${of.id}/merge`, { into: target.id })
  await runMerge(of)
  const invited = (await other.get(at)).body.data.filter(
    ({ status }: { status: string }) => status === 'invited',
  )
  expect(invited.map(({ email }: { email: string }) => email).sort()).toEqual([both, one].sort())
})

test('whom an administrator invites to the back-office keeps the invitation to a team', async () => {
  const { of, owner, path } = await team()
  const email = newAddress()
  await owner.post(path, { email, ...editor })
  expect((await admin.post('/admin/users', { email, roles: ['support'] })).status).toBe(201)
  const { browser } = await signIn(email)
  expect((await browser.get('/me')).body.data.invitations).toMatchObject([{ acteur: { id: of.id } }])
})

test('erasing an invited person deletes their invitation', async () => {
  const { owner, path } = await team()
  const email = newAddress()
  await owner.post(path, { email, ...editor })
  expect((await admin.post('/admin/people/erase', { email })).status).toBe(200)
  expect((await owner.get(path)).body.data).toHaveLength(1)
})
