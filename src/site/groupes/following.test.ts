import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { groupsKit } from '../../modules/alertes/groups.test-kit.ts'
import { insertPublication } from '../../modules/publications/publications.test-kit.ts'
import { queueWeeklyMails } from '../../modules/subscribers/broadcasts/actualites.ts'
import { takeDeliveries } from '../../modules/subscribers/broadcasts/deliveries.ts'
import { subscribeBrowser } from '../../modules/subscribers/browsers.ts'
import { ensurePushKeys } from '../../modules/subscribers/push-keys.ts'
import { subscribersKit } from '../../modules/subscribers/subscribers.test-kit.ts'
import { deleteUnconfirmed } from '../../modules/subscribers/subscribing.ts'
import { tokenOf } from '../../platform/access/sealed-addresses.ts'

const world = await openWorld({ env: { MAIL_RATE: '1000', RATE_LIMIT_ALERT: '100000/hour' } })
const { url, db, jobs, config } = world
const kit = subscribersKit(world)
const { admin, openGroup } = await groupsKit(world)
const aval = await world.commune({ slug: 'aval', nom: 'Aval' })
const amont = await world.commune({ slug: 'amont', nom: 'Amont' })
const group = await openGroup([aval.id, amont.id])
await group.change({ nom: 'CC des Rives', slug: 'rives' })
const form = '/groupes/rives/abonnement'

beforeEach(async () => {
  for (const table of ['alertes', 'broadcasts', 'resident_subscribers'])
    await sql`delete from ${sql.table(table)}`.execute(db)
})

const open = async (path: string) => {
  const response = await fetch(`${url}${path}`, { redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}
// A form is sent a minute after it was shown.
world.setClock(new Date(Date.now() - 60_000).toISOString())
const [, moment = ''] = /name="moment" value="([^"]+)"/.exec((await open('/contact')).text) ?? []
world.setClock(new Date().toISOString())
const fill = async (path: string, values: Record<string, string> = {}) => {
  const body = new URLSearchParams({ ...values, moment })
  const response = await fetch(`${url}${path}`, { method: 'POST', body, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}
/** The token of the page of the one subscriber. */
async function token(): Promise<string> {
  const { id, address } = await db
    .selectFrom('resident_subscribers')
    .select(['id', 'address'])
    .executeTakeFirstOrThrow()
  return tokenOf(id, kit.addresses.open(id, address)?.secret ?? '')
}
/** Follows the group by the form and the button of the page. */
async function follow(email: string, values: Record<string, string> = {}): Promise<string> {
  await fill(form, { email, alertes: 'all', actualites: 'non', ...values })
  const own = await token()
  await fill(`/abonnement/${own}/confirmer/${group.id}`)
  return own
}
async function tell(alerteId: string) {
  const driven = kit.mailer()
  const id = (await kit.broadcastOf(alerteId))?.id ?? ''
  await kit.expand(driven, id, 2)
  await kit.send(driven, id)
  return driven.accepted
}

test('a resident follows a group, confirms, changes and leaves, and may follow a member from there', async () => {
  for (const path of ['/groupes/rives', '/groupes/rives/alertes'])
    expect((await open(path)).text).toContain(`href="${form}"`)
  const { status, text } = await open(form)
  expect(status).toBe(200)
  expect(text).toContain('<h1>S’abonner aux messages de CC des Rives</h1>')
  expect(text).not.toContain('name="collectes"')
  expect(text).toContain('<a href="/communes/amont/abonnement">Amont</a>')
  expect((await open(`/groupes/${group.id}/abonnement`)).location).toBe(form)
  expect((await open('/groupes/inconnu/abonnement')).status).toBe(404)
  const refused = await fill(form, { email: 'lea@example.org', alertes: 'none', actualites: 'non' })
  expect([refused.status, refused.text.includes('choisissez au moins un envoi')]).toEqual([422, true])

  const asked = await fill(form, { email: 'lea@example.org', alertes: 'urgent', actualites: 'non' })
  expect([asked.status, asked.location]).toEqual([303, `${form}?envoye=1`])
  const own = `/abonnement/${await token()}`
  expect((await open(own)).text).toContain('Confirmer : CC des Rives')
  const confirmed = await fill(`${own}/confirmer/${group.id}`)
  expect(confirmed.location).toBe(`${own}?envoye=1`)
  expect((await open(own)).text).toContain('Alertes de CC des Rives')
  await fill(own, { 'alertes-groupe-rives': 'all', 'actualites-groupe-rives': 'oui' })
  expect((await open(`${own}?envoye=1`)).text).toMatch(
    /<h3>CC des Rives<\/h3>\s*<ul><li>Toutes les alertes<\/li><li>Les publications/,
  )
  expect((await fill(`${own}/quitter/${group.id}`)).text).toContain('Vous êtes désinscrit')
  expect((await open(own)).status).toBe(410)
  expect(await db.selectFrom('resident_subscribers').selectAll().execute()).toEqual([])
})

test('what was confirmed is not changed by a form, and what nobody confirms is deleted', async () => {
  await follow('lea@example.org')
  await fill(form, { email: 'lea@example.org', alertes: 'urgent', actualites: 'non' })
  const kept = await db.selectFrom('resident_group_choices').select('alertes').execute()
  expect(kept).toEqual([{ alertes: 'all' }])
  await sql`update resident_group_choices set confirmed_at = null, asked_at = now() - interval '49 hours'`.execute(
    db,
  )
  expect(await deleteUnconfirmed(db, 10)).toBe(1)
  expect(await db.selectFrom('resident_subscribers').selectAll().execute()).toEqual([])
})

test('an alerte of a group reaches its followers once, also those who follow a member', async () => {
  const own = await follow('lea@example.org')
  await sql`
    insert into resident_choices (subscriber_id, commune_id, alertes, confirmed_at)
    select id, ${aval.id}, 'all', now() from resident_subscribers`.execute(db)
  await kit.subscribe(1, [amont.id], 'all', 'amont')
  const mails = await tell((await group.alert()).id)
  expect(mails.map(({ to }) => to).toSorted()).toEqual(['amont-0@example.org', 'lea@example.org'])
  const both = mails.find(({ to }) => to === 'lea@example.org')
  expect(both?.unsubscribe).toBe(`${config.publicUrl}/abonnement/${own}/quitter/${aval.id}.${group.id}`)
  // A resident who leaves the commune goes on to follow the group.
  expect((await fill(`/abonnement/${own}/quitter/${aval.id}`)).text).toContain(
    'Votre abonnement continue pour : CC des Rives.',
  )
  const [alone] = await tell((await group.alert({ commune_ids: [amont.id] })).id).then((all) =>
    all.filter(({ to }) => to === 'lea@example.org'),
  )
  expect(alone?.text).toContain('/groupes/rives/alertes')
  expect(alone?.text).toContain('abonné aux alertes de CC des Rives')
})

test('a follower of a group gets neither alertes of a member, nor of another group, nor one that every member hides', async () => {
  await follow('lea@example.org')
  const text = { titre: 'Eau', message: 'Ne la buvez pas.', niveau: 'attention' }
  const ofMember = await admin.post(`/mairie/communes/${aval.id}/alertes`, text)
  expect(ofMember.status).toBe(201)
  const others = await openGroup([aval.id])
  const hidden = await group.alert({ commune_ids: [aval.id] })
  expect((await admin.put(`/mairie/communes/${aval.id}/group-alertes/${hidden.id}/hidden`)).status).toBe(200)
  for (const id of [ofMember.body.data.id, (await others.alert()).id, hidden.id])
    expect(await tell(id)).toEqual([])
})

test('a browser follows a group, and a click opens the alertes of the group', async () => {
  const { publicKey: serverKey } = await ensurePushKeys(db, config.sessionKeys)
  const choice = { alertes: 'all', collectes_hour: null, collectes_secteur: null, actualites: false } as const
  const browser = { endpoint: 'https://push.example.org/1', keys: { p256dh: 'x', auth: 'x', serverKey } }
  const tools = { db, jobs, addresses: kit.addresses }
  await subscribeBrowser(tools, browser, { id: group.id, isGroup: true }, choice)
  await sql`update resident_subscribers set is_proven = true`.execute(db)
  const id = (await kit.broadcastOf((await group.alert()).id))?.id ?? ''
  await kit.expand(kit.mailer(), id)
  const taken = await takeDeliveries(db, { id, channel: 'push', limit: 9, now: new Date() })
  expect(taken?.deliveries.map((one) => taken.message.notice(one).path)).toEqual(['/groupes/rives/alertes'])
})

test('the weekly message of a group names what its acteur published, once', async () => {
  await follow('lea@example.org', { alertes: 'none', actualites: 'oui' })
  await sql`update resident_group_choices set confirmed_at = '2026-11-20T10:00:00Z'`.execute(db)
  const publie_le = new Date('2026-11-24T10:00:00Z')
  await insertPublication(world, { acteur_id: group.acteur.id, title: 'Piscine', slug: 'piscine', publie_le })
  await insertPublication(world, { commune_id: aval.id, title: 'Fête', slug: 'fete', publie_le })
  const friday = new Date('2026-11-27T15:00:10Z')
  const clock = () => friday
  for (const count of [1, 0]) expect(await queueWeeklyMails({ db, jobs, clock }, kit.signal)).toBe(count)
  const { id } = await db.selectFrom('broadcasts').select('id').executeTakeFirstOrThrow()
  const driven = { ...kit.mailer(), clock }
  await kit.expand(driven, id)
  await kit.send(driven, id)
  const [mail, ...others] = driven.accepted
  expect(others).toEqual([])
  expect(mail?.subject).toBe('CC des Rives · Les publications de la semaine')
  expect(mail?.text).toContain('publié par CC des Rives')
  expect(mail?.text).toContain('Piscine')
  expect(mail?.text).not.toContain('Fête')
  expect(mail?.text).toContain('/groupes/rives/publications')
  const covered = await db.selectFrom('resident_group_choices').select('actualites_until').execute()
  expect(covered).toEqual([{ actualites_until: friday }])
})

test('who follows a deleted group and nothing else is deleted with it', async () => {
  const passing = await openGroup([aval.id])
  await kit.subscribe(1, [aval.id], 'all', 'both')
  await kit.subscribe(1, [], 'all', 'alone')
  await sql`
    insert into resident_group_choices (subscriber_id, group_id, alertes, confirmed_at)
    select id, ${passing.id}, 'all', now() from resident_subscribers`.execute(db)
  expect((await admin.delete(`/admin/groups/${passing.id}`)).status).toBe(200)
  const { rows } = await sql`select from resident_subscribers`.execute(db)
  expect(rows).toHaveLength(1)
})
