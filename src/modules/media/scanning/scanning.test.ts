import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { readConfig } from '../../../platform/config/config.ts'
import type { Handler } from '../../../platform/jobs/job.ts'
import { actsOf } from '../../acts/acts.test-kit.ts'
import { openAssociation } from '../../publications/publications.test-kit.ts'
import { formOf, pdf, png } from '../media.test-kit.ts'
import { eicar, openClamd } from './clamd.test-kit.ts'
import { ScanFailed, scan } from './clamd.ts'
import { scanHandler } from './job.ts'

const clamd = await openClamd()
// A failure lets uploads leave it to the job for a while: each test that fails uses an instance of its own.
const world = await openWorld({ env: { CLAMAV_URL: clamd.url } })
const { db, get, config, log } = world
const { acteur, owner, asOwner, content } = await openAssociation(world, { can_publish: true })
const isolated = async () => {
  const { client, url } = await openWorld({ database: world.database, env: { CLAMAV_URL: clamd.url } })
  return { url, mine: client({ source: 'espace', token: owner.token }) }
}
const perform = (handler: Handler) =>
  handler.perform({}, { id: 'job', attempt: 1, signal: new AbortController().signal })
const scanAll = () => perform(scanHandler({ db, config, log }))
let color = 0
const picture = () => png(`#${(++color).toString(16).padStart(6, '0')}`)
const form = (file: Uint8Array, fields = {}) =>
  formOf(file, { acteur_id: acteur.id, ...fields }, 'Affiche.pdf')
const statusOf = async (path: string) => (await fetch(`${world.url}${path}`)).status
const infectedPdf = () => pdf([`Affiche ${++color}`], { objects: [`<< >>\n% ${eicar}\n`] })

beforeEach(() => clamd.behave('scan'))

test('a clean upload is public at once', async () => {
  const before = clamd.scanned()
  const sent = await asOwner.post('/media', form(await picture(), { alt: 'Un étal' }))
  expect(sent.body.data.unscanned_since).toBeNull()
  await asOwner.post('/publications', { ...content, images: [sent.body.data.id] })
  expect(await statusOf(`/media/${sent.body.data.id}/400.webp`)).toBe(200)
  expect(clamd.scanned()).toBe(before + 1)
})

test('an infected upload is refused with a sentence', async () => {
  for (const file of [Buffer.concat([await picture(), Buffer.from(eicar)]), infectedPdf()]) {
    const answer = await asOwner.post('/media', form(file))
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toMatchObject([{ field: 'file', message: expect.stringMatching(/virus/) }])
  }
})

test.each(['hang', 'garbage', 'cut', 'error'] as const)(
  'an upload whose scan fails (%s) waits, unseen by the public, and is scanned later',
  async (behaviour) => {
    clamd.behave(behaviour)
    const { mine } = await isolated()
    const sent = await mine.post('/media', form(await picture(), { alt: 'Un étal' }))
    expect(sent.status).toBe(201)
    const { id, unscanned_since, version } = sent.body.data
    expect(unscanned_since).not.toBeNull()
    const document = (await mine.post('/media', form(pdf([`Programme ${++color}`])))).body.data
    const publication = (
      await asOwner.post('/publications', { ...content, images: [id], documents: [document.id] })
    ).body.data
    const [image, file] = [`/media/${id}/400.webp`, `/media/${document.id}/affiche.pdf`]
    const shown = async () => (await get(`/publications/${publication.id}`)).body.data
    expect([await statusOf(image), await statusOf(file)]).toEqual([404, 404])
    expect(await shown()).toMatchObject({ images: [], documents: [], image_url: null })
    const waiting = async () => {
      const { images, documents } = (await asOwner.get(`/me/publications/${publication.id}`)).body.data
      return [...images, ...documents].map(({ unscanned }) => unscanned)
    }
    expect(await waiting()).toEqual([true, true])
    expect((await asOwner.get(`/media/${id}/400.webp`)).status).toBe(200)
    // Still no verdict: it goes on waiting.
    if (behaviour !== 'hang') await scanAll()
    expect(await statusOf(image)).toBe(404)
    clamd.behave('scan')
    await scanAll()
    expect([await statusOf(image), await statusOf(file)]).toEqual([200, 200])
    expect(await shown()).toMatchObject({ images: [{ id }], documents: [{ id: document.id }] })
    expect(await waiting()).toEqual([undefined, undefined])
    expect((await asOwner.get(`/media/${id}`)).body.data).toMatchObject({ unscanned_since: null, version })
  },
)

test('a file that turns out to be infected is removed from its publications, with an entry in the audit log', async () => {
  clamd.behave('cut')
  const { mine } = await isolated()
  const { id } = (await mine.post('/media', form(infectedPdf()))).body.data
  const publication = (await asOwner.post('/publications', { ...content, documents: [id] })).body.data
  clamd.behave('scan')
  await scanAll()
  expect(await asOwner.get(`/media/${id}`)).toBeError(404, 'not_found')
  expect((await asOwner.get(`/publications/${publication.id}`)).body.data.documents).toEqual([])
  const { rows } = await sql`
    select from audit_log where action = 'media.remove_infected' and entity_id = ${id} and user_id is null`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
})

test('a daemon that is down keeps no upload from being received', async () => {
  const { client } = await openWorld({ database: world.database, env: { CLAMAV_URL: 'tcp://127.0.0.1:1' } })
  const sent = await client({ source: 'espace', token: owner.token }).post('/media', form(await picture()))
  expect(sent.status).toBe(201)
  expect(sent.body.data.unscanned_since).not.toBeNull()
  await scanAll()
})

test('a file that never gets a verdict holds up no other', async () => {
  const waiting = async () => {
    const id = (await asOwner.post('/media', form(await picture()))).body.data.id as string
    await sql`update media set unscanned_since = now() where id = ${id}`.execute(db)
    return id
  }
  const isWaiting = async (id: string) =>
    (await asOwner.get(`/media/${id}`)).body.data.unscanned_since !== null
  const [first, second] = [await waiting(), await waiting()]
  const runs = scanHandler({ db, config, log })
  clamd.behave('error')
  await perform(runs)
  clamd.behave('scan')
  await perform(runs)
  expect([await isWaiting(first), await isWaiting(second)]).toEqual([true, false])
  await perform(runs)
  expect(await isWaiting(first)).toBe(false)
})

test('without CLAMAV_URL, files that waited are public', async () => {
  clamd.behave('cut')
  const { mine } = await isolated()
  const { id } = (await mine.post('/media', form(await picture(), { alt: 'Un étal' }))).body.data
  await asOwner.post('/publications', { ...content, images: [id] })
  expect(await statusOf(`/media/${id}/400.webp`)).toBe(404)
  await perform(scanHandler({ db, config: readConfig(modules, { AUTH_JWT_SECRET: 'x'.repeat(32) }), log }))
  expect(await statusOf(`/media/${id}/400.webp`)).toBe(200)
})

test('the file of an act is scanned before it is taken', async () => {
  const hall = await world.acteur({ type: 'mairie', valide: true })
  await world.commune({ mairie_actor_id: hall.id })
  const { token } = await world.user({ memberships: [{ acteur: hall, permissions: ['publish_acts'] }] })
  const { prepare } = actsOf(world.client({ source: 'mairie', token }), hall.id)
  await prepare()
  await expect(prepare({}, infectedPdf())).rejects.toThrow(/virus/)
  clamd.behave('cut')
  const { client } = await openWorld({ database: world.database, env: { CLAMAV_URL: clamd.url } })
  await expect(
    actsOf(client({ source: 'mairie', token }), hall.id).prepare({ title: 'Tarifs' }),
  ).rejects.toThrow(/unavailable/)
})

test('a scan of 20 MB is sent whole, and a daemon that hangs ends in time', async () => {
  const large = Buffer.alloc(20_000_000, 'a')
  expect(await scan(clamd.address, large, 30_000)).toBeNull()
  large.write(eicar, large.length - eicar.length)
  expect(await scan(clamd.address, large, 30_000)).toBe('Eicar-Test-Signature')
  clamd.behave('hang')
  await expect(scan(clamd.address, large, 200)).rejects.toThrow(ScanFailed)
})

test.each(['http://127.0.0.1:3310', 'tcp://', 'tcp://host/path', 'clamav'])(
  'CLAMAV_URL=%s is refused',
  (url) => {
    expect(() => readConfig(modules, { CLAMAV_URL: url, AUTH_JWT_SECRET: 'x'.repeat(32) })).toThrow(
      /CLAMAV_URL must be/,
    )
  },
)
