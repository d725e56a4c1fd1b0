import { expect, test } from 'vitest'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { claimsKit } from './claims.test-kit.ts'
import { emailMatchesSite } from './reading.ts'

const world = await openWorld()
const { as, acteur, user, db } = world
const { claim, age } = claimsKit(world)
const admin = await as('admin')
const read = async (id: string) => (await admin.get(`/admin/claims/${id}`)).body.data

test('GET /admin/claims/{id} returns 200 with the contacts and members of the acteur', async () => {
  const contacts = { email: 'contact@accoules.example', site_web: 'https://www.accoules.example/club' }
  const claimed = await acteur({ nom: 'Boule des Accoules', ...contacts })
  const editor = await user({ memberships: [{ acteur: claimed, role: 'editor' }] })
  const owner = await user({ nom: 'Zoé', memberships: [{ acteur: claimed, role: 'owner' }] })
  const { acteur: shown, members } = await read(await claim({ acteur: claimed }))
  expect(shown).toEqual({
    ...{ id: claimed.id, nom: 'Boule des Accoules', slug: claimed.slug, type: claimed.type, ...contacts },
    ...{ adresse: null, telephone: null, active: true, deleted: false },
  })
  expect(members).toMatchObject([
    { user_id: owner.id, nom: 'Zoé', email: owner.email, role: 'owner' },
    { user_id: editor.id, role: 'editor' },
  ])
})

test('GET /admin/claims/{id} returns 200 with rival and earlier claims on the acteur', async () => {
  const claimed = await acteur()
  const rejected = await claim({ acteur: claimed })
  await admin.patch(`/admin/claims/${rejected}`, { status: 'rejected', reason: 'Un autre contact.' })
  const overdue = await claim({ acteur: claimed })
  await age(overdue, 31)
  const rival = await claim({ acteur: claimed, nom: 'Basile' })
  const claimant = await user({ email_verified: true, last_seen_at: new Date() })
  const id = await claim({ acteur: claimed, token: claimant.token })
  await claim()
  const shown = await read(id)
  expect(shown.rivals).toMatchObject([{ id: rival, nom: 'Basile', status: 'pending', decided_by_user: null }])
  expect(shown.earlier_claims).toMatchObject([
    { id: rejected, status: 'rejected', reason: 'Un autre contact.', decided_by_user: { nom: null } },
    { id: overdue, status: 'expired', decided_at: null },
  ])
  expect((await read(rejected)).rivals).toHaveLength(2)
})

test('a claim with many others needs as many statements as one without, and shows twenty', async () => {
  const claimed = await acteur()
  const count = async (id: string) =>
    (await statementsAbout(/claim|users/, async () => void (await read(id)))).length
  const alone = await claim({ acteur: claimed })
  const before = await count(alone)
  const row = { acteur_id: claimed.id, message: 'Bonjour', status: 'rejected', ended_at: new Date() }
  const rows = Array.from({ length: 30 }, () => ({ id: uuidv7(), ...row }))
  await db.insertInto('claims').values(rows).execute()
  expect(await count(alone)).toBe(before)
  expect((await read(alone)).earlier_claims).toHaveLength(20)
})

test('email_matches_site checks the address of the user who would own the acteur', async () => {
  const site = () => acteur({ site_web: 'https://www.club.example' })
  const evidence = async (id: string) => {
    const { email_matches_site, owning_address } = await read(id)
    return [email_matches_site, owning_address]
  }
  const email = 'zoe@club.example'
  expect(await evidence(await claim({ acteur: await site(), email }))).toEqual([true, email])
  const byGmail = await claim({ acteur: await site(), email: 'zoe@gmail.com' })
  expect(await evidence(byGmail)).toEqual([false, 'zoe@gmail.com'])
  expect(await evidence(await claim({ acteur: await site() }))).toEqual([null, null])
  expect(await evidence(await claim({ email }))).toEqual([null, email])
  // The signed-in account gets the permissions, whatever address is typed.
  const seen = { last_seen_at: new Date() }
  for (const [values, expected] of [
    [{ email, email_verified: true }, [true, email]],
    [{ email: 'zoe@other.example', email_verified: true }, [false, 'zoe@other.example']],
    [{ email, email_verified: false }, [null, null]],
  ] as const) {
    const { token } = await user({ ...seen, ...values })
    expect(await evidence(await claim({ acteur: await site(), token, email }))).toEqual(expected)
  }
})

test.each([
  ['zoe@club.example', 'https://club.example', true],
  ['zoe@CLUB.example', 'http://WWW.Club.example:8080/fr?a=1', true],
  ['zoe@mail.club.example', 'https://www.club.example', true],
  ['zoe@club.example', 'https://jeunes.club.example', true],
  ['zoe@club.example', 'https://club.example.', true],
  ['zoe@théâtre.example', 'https://xn--thtre-4qa2c.example', true],
  ['zoe@théâtre.example', 'https://www.théâtre.example', true],
  ['zoe@xn--thtre-4qa2c.example', 'https://théâtre.example', true],
  ['zoe@notclub.example', 'https://club.example', false],
  ['zoe@club.example.org', 'https://club.example', false],
  ['zoe@mail.club.example', 'https://www2.club.example', false],
  ['zoe@a.gouv.fr', 'https://b.gouv.fr', false],
  ['zoe@gouv.fr', 'https://b.gouv.fr', false],
  ['zoe@fr', 'https://club.fr', false],
  ['zoe@free.fr', 'http://club.free.fr', false],
  ['zoe@gmail.com', 'https://gmail.com', false],
  ['zoe@facebook.com', 'https://www.facebook.com/club', false],
  ['zoe@google.com', 'https://sites.google.com/view/club', false],
  ['zoe@club.wordpress.com', 'https://wordpress.com/club', false],
  ['zoe@club.example', 'https://192.0.2.7/club', false],
  ['no address', 'https://club.example', null],
  ['zoe@club.example', 'club.example', null],
  ['zoe@club.example', null, null],
  [null, 'https://club.example', null],
] as const)('an address %s and the site %s: %s', (email, site, expected) => {
  expect(emailMatchesSite(email, site)).toBe(expected)
})

test('GET /admin/claims/{id} returns 200 with the users of its address, the earliest verification first', async () => {
  const plain = await user({ email: 'ODILE.q@example.org', nom: 'Odile' })
  const proved = await user({ email: 'odile.q@EXAMPLE.org', email_verified: true, roles: ['support'] })
  await user({ email: 'odile.qq@example.org' })
  await user({ email: 'od\u0131le.q@example.org' })
  const id = await claim({ email: 'Odile.Q@example.org' })
  const answer = await (await as('moderator')).get(`/admin/claims/${id}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toBe('"1"')
  expect(answer.body.data).toMatchObject({ id, email: 'Odile.Q@example.org', status: 'pending', owners: [] })
  expect(answer.body.data.matching_users).toEqual([
    { id: proved.id, nom: null, email: proved.email, email_verified: true, roles: ['support'] },
    { id: plain.id, nom: 'Odile', email: plain.email, email_verified: false, roles: [] },
  ])
  const byTelephone = await admin.get(`/admin/claims/${await claim()}`)
  expect(byTelephone.body.data.matching_users).toEqual([])
})

test('GET /admin/claims/{id} returns 404 for an unknown or malformed id', async () => {
  for (const id of [uuidv7(), '12'])
    expect(await admin.get(`/admin/claims/${id}`)).toBeError(404, 'not_found')
})

test('the support role cannot read claims', async () => {
  const support = await as('support')
  for (const path of ['/admin/claims', `/admin/claims/${await claim()}`])
    expect(await support.get(path)).toBeError(403, 'admin_required')
})
