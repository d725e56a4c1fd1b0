import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { actsOf, insertAct, insertPublished } from './acts.test-kit.ts'

const world = await openWorld()
const { db, acteur, commune, user, client, url } = world
const [amont, aval] = [
  await commune({ nom: 'Amont', slug: 'amont' }),
  await commune({ nom: 'Aval', slug: 'aval' }),
]
const reader = client({ source: 'public' })
let groups = 0

async function group(acteur_id: string | null, members: { id: string }[] = [amont, aval]) {
  const id = uuidv7()
  const values = {
    id,
    slug: `rives-${++groups}`,
    nom: 'CC des Rives',
    kind: 'epci',
    siren: `${200_000_000 + groups}`,
  }
  await db
    .insertInto('groups')
    .values({ ...values, acteur_id })
    .execute()
  if (members.length > 0)
    await db
      .insertInto('group_communes')
      .values(members.map(({ id: commune_id }) => ({ group_id: id, commune_id })))
      .execute()
  return values
}

async function open(members?: { id: string }[]) {
  const body = await acteur({ type: 'intercommunalite', nom: 'Rives Agglo', valide: true })
  const named = await group(body.id, members)
  const member = async (options: object) =>
    client({ source: 'mairie', token: (await user({ memberships: [{ acteur: body, ...options }] })).token })
  const clerk = await member({ permissions: ['publish_acts'] })
  return { body, named, clerk, reader: await member({ permissions: [] }), ...actsOf(clerk, body.id) }
}

test('a group of communes publishes acts, which stand on the lists of its members', async () => {
  const { body, named, clerk, publish, path } = await open()
  const date = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
  const act = await publish({ title: 'Tarifs des déchets', number: '2026-7', date })
  expect(act).toMatchObject({ state: 'published', acteur_id: body.id })
  for (const { id } of [amont, aval])
    expect((await reader.get(`/communes/${id}/acts`)).body.data).toMatchObject([{ id: act.id }])
  const { data } = (await reader.get(`/acts?acteur_id=${body.id}`)).body
  expect(data).toMatchObject([
    { acteur: { id: body.id }, communes: [{ id: amont.id }, { id: aval.id }], seal: act.seal },
  ])
  const { rows } = await sql<{ record: string }>`
    select record from act_seals where act_id = ${act.id}`.execute(db)
  expect(JSON.parse(rows[0]?.record ?? '')).toMatchObject({
    ...{ acteur: { id: body.id, nom: 'Rives Agglo' }, communes: [] },
    groups: [{ siren: named.siren, nom: 'CC des Rives' }],
  })
  expect((await clerk.get(`${path}/due`)).body.data).toMatchObject([{ kind: 'liste_des_deliberations' }])
})

test('its pages name the group instead of its members', async () => {
  const { named, publish } = await open()
  const act = await publish({ title: 'Budget annexe' })
  const read = async (at: string) => (await fetch(`${url}${at}`, { headers: { accept: 'text/html' } })).text()
  const page = await read(`/actes/${act.id}`)
  expect(page).toContain(`<a href="/groupes/${named.slug}">CC des Rives</a>`)
  expect(page).toContain(`href="/groupes/${named.slug}/actes"`)
  for (const at of ['/communes/aval/actes', `/groupes/${named.slug}`, `/groupes/${named.slug}/actes`])
    expect(await read(at), at).toContain('Budget annexe')
  const status = async (at: string) => (await fetch(`${url}${at}`, { redirect: 'manual' })).status
  expect(await status(`/groupes/${named.id}/actes`)).toBe(301)
  expect(await status(`/groupes/${named.slug}/actes?page=2`)).toBe(404)
  const other = await open()
  expect(await read(`/groupes/${other.named.slug}/actes`)).toContain('n’a encore mis aucun acte en ligne ici')
  expect(await status(`/groupes/${(await group(null)).slug}/actes`)).toBe(200)
  expect(await read(`/groupes/${other.named.slug}`)).not.toContain('Actes</h2>')
})

test('acts stay on the page of a group whose acteur the public does not see any more', async () => {
  const { body, named, publish } = await open()
  await publish({ title: 'Reste en ligne' })
  await sql`update acteurs set valide = false where id = ${body.id}`.execute(db)
  for (const at of ['', '/actes'])
    expect(await (await fetch(`${url}/groupes/${named.slug}${at}`)).text()).toContain('Reste en ligne')
})

test('a group of many communes folds their names on the page of its act', async () => {
  const members = await Promise.all(Array.from({ length: 13 }, () => commune()))
  const { body } = await open(members)
  const act = await insertPublished(db, { acteur_id: body.id })
  const page = await (await fetch(`${url}/actes/${act.id}`)).text()
  expect(page).toContain('<details><summary>13 communes')
})

test('an act stays on the lists of those who were members when it was published', async () => {
  const { named, publish } = await open()
  const act = await publish({ title: 'Avant le départ' })
  await sql`delete from group_communes where group_id = ${named.id} and commune_id = ${aval.id}`.execute(db)
  const { data } = (await reader.get(`/communes/${aval.id}/acts`)).body
  expect(data.map(({ id }: { id: string }) => id)).toContain(act.id)
})

test('members without the permission read; an acteur that no group names, or without members, publishes nothing', async () => {
  const { body, named, clerk, path, prepare, reader: member } = await open()
  const draft = await prepare({ title: 'Brouillon' })
  expect((await member.get(path)).body.data).toHaveLength(1)
  expect(await member.patch(`${path}/${draft.id}/publish`)).toBeError(403, 'forbidden')
  await sql`delete from group_communes where group_id = ${named.id}`.execute(db)
  expect(await clerk.patch(`${path}/${draft.id}/publish`)).toBeError(409, 'conflict')
  await sql`update groups set acteur_id = null where id = ${named.id}`.execute(db)
  expect(await clerk.patch(`${path}/${draft.id}/publish`)).toBeError(403, 'scope_violation')
  expect(await clerk.get(`/mairie/acteurs/${body.id}/alertes`)).toBeError(403, 'scope_violation')
})

test('who is a member sees the groups of the acteur', async () => {
  const { named, clerk } = await open()
  const [own] = (await clerk.get('/me')).body.data.acteurs
  expect(own.groups).toEqual([{ id: named.id, slug: named.slug, nom: 'CC des Rives' }])
})

test('a number is given once by each group', async () => {
  const { body, publish, prepare, clerk, path } = await open()
  await publish({ number: '2026-9' })
  const answer = await clerk.patch(
    `${path}/${(await insertAct(db, { acteur_id: body.id, number: '2026-9' })).id}/publish`,
  )
  expect(answer).toBeError(409, 'act_exists')
  expect((await prepare({ title: 'Sans numéro' })).number).toBeNull()
})
