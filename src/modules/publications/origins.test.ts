import { request } from 'node:http'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { performed } from '../../platform/mail/performed.test-kit.ts'
import { mailOwnerHandler } from '../acteurs/notify.ts'
import { groundsKit } from '../grounds/grounds.test-kit.ts'
import { acceptanceHandler } from './acceptance/jobs.ts'
import { mailHandlers } from './notify.ts'
import { originsOf } from './origins.ts'
import { reportsKit } from './reports/reports.test-kit.ts'

const platform = 'https://parvis.test'
const world = await openWorld({ env: { PUBLIC_URL: platform, TRUST_PROXY: 'loopback' } })
const { db, config, as } = world
const admin = await as('admin')
const { written, mailsOf } = groundsKit(world)
const reports = reportsKit(world)
const [aval, amont, far] = [await world.commune(), await world.commune(), await world.commune()]
const agglo = await world.acteur({ type: 'intercommunalite', valide: true })
const { body: group } = await admin.post('/admin/groups', {
  ...{ nom: 'CC des Rives', kind: 'epci', acteur_id: agglo.id, commune_ids: [amont.id, aval.id, far.id] },
})
const insert = (host: string, home: { commune_id: string } | { group_id: string }, verified = true) =>
  db
    .insertInto('domains')
    .values({
      ...{ id: uuidv7(), host, token: 'a'.repeat(43), commune_id: null, group_id: null, ...home },
      verified_at: verified ? new Date().toISOString() : null,
    })
    .execute()
beforeEach(async () => {
  await sql`delete from domains`.execute(db)
  await insert('aval.test', { commune_id: aval.id })
  await insert('second.test', { commune_id: aval.id })
  await insert('amont.test', { commune_id: amont.id })
  await insert('rives.test', { group_id: group.data.id })
  await insert('far.test', { commune_id: far.id }, false)
  await world.changes?.arrived()
})

const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const
const moderate = (at: string, moderation_status: string, more = {}) =>
  admin.patch(`${at}/moderate`, { moderation_status, ...more })
/** Performs the jobs of the mails about a decision. */
const statements = async (id: string): Promise<Mail[]> => {
  const ids = (await mailsOf(id)).map((mail) => mail.id)
  return performed(db, (mailer) => mailHandlers({ db, config, mailer })[0] ?? expect.fail('no handler'), ids)
}
const acceptances = async (userId: string): Promise<Mail[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from acceptance_mails where user_id = ${userId}`.execute(db)
  const ids = rows.map(({ id }) => id)
  return performed(db, (mailer) => acceptanceHandler({ db, config, mailer }), ids)
}

/** Returns the addresses in a mail, without their paths. */
const originsIn = ({ text }: Mail) => {
  const found = text.matchAll(/https?:\/\/[^/\s]+(?=\/(\w+))/g)
  return Object.fromEntries([...found].map(([origin, first = '']) => [first, origin]))
}
const openOn = (link: string) => {
  const { hostname, pathname } = new URL(link)
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  request(`${world.url}${pathname}`, { headers: { host: hostname, accept: 'text/html' } }, (response) => {
    response.resume()
    resolve(response.statusCode)
  }).end()
  return promise
}
const linkIn = (mail: Mail | undefined, path: string) =>
  mail?.text.match(new RegExp(`https://\\S+/${path}/\\S+`))?.[0] ?? expect.fail(mail?.text)

test.each([
  ['of a commune with domains, on the oldest', [aval], 'https://aval.test'],
  ['of a commune whose domain is not proven, on the platform', [far], platform],
  ['of communes with several, on the platform', [aval, amont], platform],
  ['of no commune, on the platform', [], platform],
])('the links of a publication %s', async (_name, communes, origin) => {
  const commune_ids = communes.map(({ id }) => id)
  const one = await written({ ...pending, commune_ids })
  expect((await moderate(one.at, 'published')).status).toBe(200)
  const [accepted] = await acceptances(one.editor.id)
  expect(accepted && originsIn(accepted)).toEqual({ publications: origin, backoffice: platform })

  await moderate(one.at, 'rejected', { ground: 'spam' })
  const told = await statements(one.id)
  expect(told).toHaveLength(2)
  for (const mail of told) expect(originsIn(mail)).toEqual({ reclamation: origin, backoffice: platform })
})

test('what a group publishes leads to the domain of its communes, else to its own', async () => {
  const ofAll = await written({ ...pending, acteur_id: agglo.id })
  const ofAval = await written({ ...pending, acteur_id: agglo.id, commune_ids: [aval.id] })
  const both = [ofAll.id, ofAval.id]
  const originOf = await originsOf(db, config, both)
  expect(both.map(originOf)).toEqual(['https://rives.test', 'https://aval.test'])
  expect(originOf(uuidv7())).toBe(platform)
  const answer = await admin.patch('/admin/publications/bulk/moderate', {
    ids: both,
    moderation_status: 'rejected',
    ground: 'spam',
  })
  expect(answer.status).toBe(200)
  expect((await statements(ofAll.id)).map(originsIn)).toEqual([
    expect.objectContaining({ reclamation: 'https://rives.test' }),
  ])
})

test('a decision on several leads each to its own domain', async () => {
  const one = await written({ ...pending, commune_ids: [aval.id] })
  const values = { ...pending, acteur_id: one.acteur.id, created_by: one.editor.id, commune_ids: [amont.id] }
  const other = await written(values)
  await admin.patch('/admin/publications/bulk/moderate', {
    ...{ ids: [one.id, other.id], moderation_status: 'published' },
  })
  const [mail] = await acceptances(one.editor.id)
  expect(mail?.text).toContain(`https://aval.test/publications/${one.slug}`)
  expect(mail?.text).toContain(`https://amont.test/publications/${other.slug}`)
})

test('the receipt and the outcome of a report lead to the domain, where their pages open', async () => {
  const one = await written({ commune_ids: [aval.id] })
  const email = 'odile@example.org'
  await world.post(`/publications/${one.id}/report`, { category: 'wrong', email }, reports.another())
  const [receipt] = await reports.send()
  expect(linkIn(receipt, 'signalement')).toMatch(/^https:\/\/aval\.test\//)
  expect(await openOn(linkIn(receipt, 'signalement'))).toBe(200)
  await admin.post(`${one.at}/reports/close`)
  const [outcome] = await reports.send()
  expect(linkIn(outcome, 'reclamation')).toMatch(/^https:\/\/aval\.test\//)
  expect(await openOn(linkIn(outcome, 'reclamation'))).toBe(200)
})

test('the statement about an acteur leads to the domain of its commune, or of its group', async () => {
  const deactivated = async (acteurId: string) => {
    await admin.patch(`/admin/acteurs/${acteurId}/active`, { active: false, ground: 'spam' })
    const { rows } = await sql<{ id: string }>`
      select m.id from acteur_mails m join statements s on s.id = m.statement_id where s.record_id = ${acteurId}`.execute(
      db,
    )
    const ids = rows.map(({ id }) => id)
    return performed(db, (mailer) => mailOwnerHandler({ db, config, mailer }), ids)
  }
  const { acteur } = await written()
  await db.updateTable('acteurs').set({ commune_id: aval.id }).where('id', '=', acteur.id).execute()
  const [mail] = await deactivated(acteur.id)
  expect(linkIn(mail, 'reclamation')).toMatch(/^https:\/\/aval\.test\//)
  expect(await openOn(linkIn(mail, 'reclamation'))).toBe(200)

  await world.user({ email_verified: true, memberships: [{ acteur: agglo, role: 'owner' }] })
  expect(linkIn((await deactivated(agglo.id))[0], 'reclamation')).toMatch(/^https:\/\/rives\.test\//)
  await admin.patch(`/admin/acteurs/${agglo.id}/active`, { active: true })
})

test('a domain that is taken back while a mail waits is no longer named', async () => {
  const one = await written({ ...pending, commune_ids: [aval.id] })
  await moderate(one.at, 'published')
  await sql`delete from domains where host in ('aval.test', 'second.test')`.execute(db)
  const [mail] = await acceptances(one.editor.id)
  expect(mail && originsIn(mail)).toEqual({ publications: platform, backoffice: platform })
})
