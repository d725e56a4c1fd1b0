import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { identityDigests } from '../../../platform/access/erased-identities.ts'
import { formOf, pdf, png } from '../../media/media.test-kit.ts'
import { noteUnused } from '../../media/queries.ts'
import { deleteUnused } from '../../media/sweep.ts'
import { erasePerson } from '../../privacy/erase.ts'

const world = await openWorld({ keeps: true })
const { db, user, client, get, url } = world
const { hall, commune, owner: mayor, club, clubOwner } = await openMairie(world)
const admin = await world.as('admin')

let pictures = 0
const send = async (by = mayor, fields: Record<string, string> = { acteur_id: hall.id }) => {
  const color = `#${(0x204060 + ++pictures).toString(16)}`
  return (await by.post('/media', formOf(await png(color), fields))).body.data.id as string
}
const path = `/mairie/communes/${commune.id}`
const office = `/admin/communes/${commune.id}`
const odile = { nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }
const zoe = { nom: 'Petit', prenom: 'Zoé', fonction: 'Première adjointe' }
const put = (...elus: object[]) => mayor.patch(path, { elus })
const managed = async () => (await mayor.get(path)).body.data.elus
const read = async () => (await get(`/communes/${commune.id}/elus`)).body.data
const statusOf = async (picture: string) => (await fetch(`${url}/media/${picture}/400.webp`)).status
const elusPage = async () => (await fetch(`${url}/communes/${commune.slug}/elus`)).text()

beforeEach(() => put())

test('a mairie gives an élu a portrait that everybody sees, and takes it back', async () => {
  const photo = await send()
  expect(await statusOf(photo)).toBe(404)
  expect(await elusPage()).not.toContain('<picture>')
  const { status, body } = await put({ ...odile, photo }, zoe)
  expect(status).toBe(200)
  const jpeg = `/media/${photo}/400.jpg`
  const shownAt = (base: string) => [
    {
      ...odile,
      photo_url: `${base}${jpeg}`,
      photo: {
        ...{ id: photo, alt: null, width: 40, height: 30 },
        src: { 400: { webp: `${base}/media/${photo}/400.webp`, jpeg: `${base}${jpeg}` } },
      },
    },
    { ...zoe, photo_url: null, photo: null },
  ]
  expect(body.data.elus).toMatchObject(shownAt('/api/v1'))
  expect(await managed()).toEqual(body.data.elus)
  expect((await admin.get(`${office}/full`)).body.data.elus).toMatchObject(shownAt('/api/v1'))
  expect(await read()).toMatchObject(shownAt(''))
  expect(await statusOf(photo)).toBe(200)
  const page = await elusPage()
  expect(page.match(/<picture>/g)).toHaveLength(1)
  expect(page).toMatch(
    new RegExp(`<img src="${jpeg}" [^>]*alt="" loading="lazy" width="40" height="30"></picture>`),
  )
  expect(await (await fetch(`${url}/communes/${commune.slug}/recherche?q=Vauquelin`)).text()).toContain(jpeg)
  expect(await (await fetch(`${url}/donnees/elus.csv`)).text()).toContain(`${world.config.publicUrl}${jpeg}`)
  const [first, second] = await managed()
  const bodyOf = ({ id }: { id: string }, values: object) => ({ id, ...values })
  expect((await put(bodyOf(first, { ...odile, photo: null }), bodyOf(second, zoe))).status).toBe(200)
  expect(await read()).toMatchObject([{ photo: null, photo_url: null }, { photo: null }])
  expect(await statusOf(photo)).toBe(404)
  expect(await elusPage()).not.toContain('<picture>')
})

test('administrators give portraits too, also with a new commune', async () => {
  const photo = await send(admin, {})
  const named = { nom: 'Aime', code_insee: '73006', codes_postaux: [], departement: '73', region: '84' }
  const made = await admin.post('/admin/communes', { ...named, elus: [{ ...odile, photo }] })
  expect(made.body.data.elus).toMatchObject([{ photo: { id: photo } }])
  expect(await statusOf(photo)).toBe(200)
  expect((await admin.patch(office, { elus: [{ ...zoe, photo }] })).body.data.elus).toMatchObject([
    { photo: { id: photo } },
  ])
})

const refusedPhotos = {
  'of nobody': async () => '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e',
  'that is a document': async () =>
    (await mayor.post('/media', formOf(pdf(), { acteur_id: hall.id }, 'a.pdf'))).body.data.id as string,
  'of another acteur': async () => send(clubOwner, { acteur_id: club.id }),
  'of the team': async () => send(admin, {}),
}

test.each(Object.entries(refusedPhotos))('a photo %s returns 422', async (_name, photoOf) => {
  const refused = await put(zoe, { ...odile, photo: await photoOf() })
  expect(refused).toBeError(422, 'validation_failed')
  expect(refused.body.details).toMatchObject([{ field: 'elus.1.photo' }])
  expect(await read()).toEqual([])
})

test('administrators may not give a photo that does not exist, nor a document', async () => {
  for (const name of ['of nobody', 'that is a document'] as const) {
    const elus = [{ ...odile, photo: await refusedPhotos[name]() }]
    const answers = [
      await admin.patch(office, { elus }),
      await admin.post('/admin/communes', { nom: 'Aime', code_insee: '73007', region: '84', elus }),
    ]
    for (const answer of answers) {
      expect(answer).toBeError(422, 'validation_failed')
      expect(answer.body.details).toMatchObject([{ field: 'elus.0.photo' }])
    }
  }
})

test('a photo that an élu has already is not checked again: one of the team stays when the mairie saves', async () => {
  const photo = await send(admin, {})
  await admin.patch(office, { elus: [{ ...odile, photo }] })
  const [{ id }] = await managed()
  expect((await put(zoe, { id, ...odile, photo })).body.data.elus).toMatchObject([
    {},
    { photo: { id: photo } },
  ])
})

test('a client that does not know photo keeps it, until it names another address', async () => {
  const photo = await send()
  await put({ ...odile, photo })
  const [{ id, photo_url }] = await managed()
  for (const known of [{ photo_url }, { photo_url: `/media/${photo}/1600.jpg` }, { photo_url: null }, {}])
    expect((await put({ id, ...odile, ...known })).body.data.elus).toMatchObject([{ photo: { id: photo } }])
  const elsewhere = 'https://mairie.example/odile.jpg'
  const { body } = await put({ id, ...odile, photo_url: elsewhere })
  expect(body.data.elus).toMatchObject([{ photo: null, photo_url: elsewhere }])
  // The address stays below a picture, and is shown again without it.
  await put({ id, ...odile, photo_url: elsewhere, photo })
  expect(await read()).toMatchObject([{ photo: { id: photo }, photo_url: `/media/${photo}/400.jpg` }])
  expect((await put({ id, ...odile, photo_url })).body.data.elus).toMatchObject([{ photo: { id: photo } }])
  await put({ id, ...odile, photo_url, photo: null })
  expect(await read()).toMatchObject([{ photo: null, photo_url: elsewhere }])
})

test('portraits stay while an élu has them: 409 in_use with the name, and no sweep', async () => {
  const photo = await send()
  await put({ ...odile, photo })
  const refused = await mayor.delete(`/media/${photo}`)
  expect(refused).toBeError(409, 'in_use')
  expect(refused.body.message).toContain('Odile Vauquelin')
  expect((await mayor.get(`/media/${photo}`)).body.data.can).toEqual(['edit'])
  await sql`update media set unused_since = now() - interval '8 days' where id = ${photo}`.execute(db)
  await deleteUnused(db, 100)
  expect(await statusOf(photo)).toBe(200)
  const { version, elus } = (await mayor.get(path)).body.data
  await put({ ...zoe })
  // Until it is deleted, a removed élu comes back with the portrait.
  await sql`update media set unused_since = null where id = ${photo}`.execute(db)
  await noteUnused(db)
  expect((await mayor.get(`/media/${photo}`)).body.data).toMatchObject({ unused_since: expect.any(String) })
  const back = await mayor.patch(`${path}/deleted/${elus[0].id}/restore`)
  expect(back.body.data.elus[0]).toMatchObject({ ...odile, photo: { id: photo } })
  expect(back.body.data.version).toBeGreaterThan(version)
  expect((await mayor.get(`/media/${photo}`)).body.data).toMatchObject({ unused_since: null })
  await put(zoe)
  expect((await mayor.delete(`/media/${photo}`)).status).toBe(200)
  const bare = await mayor.patch(`${path}/deleted/${elus[0].id}/restore`)
  expect(bare.body.data.elus[0]).toMatchObject({ ...odile, photo: null, photo_url: null })
})

test('a changed description reaches the lists that are cached', async () => {
  const photo = await send()
  await put({ ...odile, photo })
  expect(await read()).toMatchObject([{ photo: { alt: null } }])
  await mayor.patch(`/media/${photo}`, { alt: 'Odile Vauquelin au marché' })
  await expect.poll(read).toMatchObject([{ photo: { alt: 'Odile Vauquelin au marché' } }])
})

test('a portrait that waits for the antivirus is shown to its mairie only', async () => {
  const photo = await send()
  await put({ ...odile, photo })
  await sql`update media set unscanned_since = now() where id = ${photo}`.execute(db)
  await expect.poll(read).toMatchObject([{ photo: null, photo_url: null }])
  await expect.poll(() => statusOf(photo)).toBe(404)
  expect(await managed()).toMatchObject([{ photo: { id: photo } }])
  await sql`update media set unscanned_since = null where id = ${photo}`.execute(db)
  await expect.poll(read).toMatchObject([{ photo: { id: photo } }])
})

test('erasing the sender of a portrait removes it, and no older list brings it back', async () => {
  const sender = await user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const photo = await send(client({ token: sender.token }))
  await put({ ...odile, photo }, zoe)
  const { version } = (await mayor.get(path)).body.data
  const { jobs, config } = world
  const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
  await erasePerson(tools, { user: sender.id })
  await expect.poll(read).toMatchObject([{ ...odile, photo: null, photo_url: null }, zoe])
  expect(await statusOf(photo)).toBe(404)
  const late = { elus: [{ ...odile, photo }] }
  const stale = await mayor.patch(path, late, { headers: { 'if-match': `"${version}"` } })
  expect(stale).toBeError(412, 'precondition_failed')
  expect(await mayor.patch(path, late)).toBeError(422, 'validation_failed')
})

test('edge caches are told of each portrait that begins or ceases to be shown, or of all beyond 50', async () => {
  const photo = await send()
  const { rows } = await sql<{ id: string }>`
    insert into media select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid()))).*
    from media m, generate_series(1, 60) where m.id = ${photo} returning id`.execute(db)
  const listener = await world.pool.connect()
  const heard: string[] = []
  listener.on('notification', ({ payload = '' }) => heard.push(payload))
  await listener.query('listen parvis_changes')
  const toldBy = async (change: () => Promise<unknown>) => {
    heard.length = 0
    await change()
    await sql`select pg_notify('parvis_changes', 'told')`.execute(db)
    await expect.poll(() => heard).toContain('told')
    return heard.filter((tag) => tag.startsWith('publications')).sort()
  }
  const own = [`publications:${photo}`]
  const ofCouncil = db.deleteFrom('elus').where('commune_id', '=', commune.id)
  const change = (values: { photo?: string | null; nom?: string }) =>
    db.updateTable('elus').set(values).where('commune_id', '=', commune.id).execute()
  expect(await toldBy(() => put({ ...odile, photo }))).toEqual(own)
  expect(await toldBy(() => change({ nom: 'Autre' }))).toEqual([])
  expect(await toldBy(() => change({ photo: null }))).toEqual(own)
  expect(await toldBy(() => change({ photo }))).toEqual(own)
  expect(await toldBy(() => ofCouncil.execute())).toEqual(own)
  expect(await toldBy(() => put(...rows.map(({ id }) => ({ ...zoe, photo: id }))))).toEqual(['publications*'])
  expect(await toldBy(() => ofCouncil.execute())).toEqual(['publications*'])
  await listener.query('unlisten *')
  listener.release()
})
