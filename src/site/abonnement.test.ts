import { createECDH } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { untilWaiting } from '../../test/support/locks.ts'
import { openWorld } from '../../test/support/world.ts'
import { modules } from '../app.ts'
import { originFinder } from '../modules/domains/proven.ts'
import { erasePerson } from '../modules/privacy/erase.ts'
import { exportPerson } from '../modules/privacy/export.ts'
import { addressesOf } from '../modules/subscribers/addresses.ts'
import { deleteUnconfirmed } from '../modules/subscribers/subscribing.ts'
import { rekey } from '../modules/subscribers/sweep.ts'
import { identityDigests } from '../platform/access/erased-identities.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'
import { until } from '../platform/jobs/jobs.test-kit.ts'
import { readMessage } from '../platform/mail/mail-servers.test-kit.ts'

const world = await openWorld({ env: { PUSH_SERVICES: 'push.example.org,*.push.example.net' } })
const { url, db, outbox, config, jobs } = world
const town = await world.commune({ slug: 'bouguenais', nom: 'Bouguenais' })
const reze = await world.commune({ slug: 'reze', nom: 'Rezé' })

beforeAll(() => world.runJobs())
beforeEach(async () => {
  // A mail that the test before asked for would be taken for one of this test.
  await allSent()
  await sql`delete from resident_subscribers`.execute(db)
  for (const file of readdirSync(outbox)) rmSync(join(outbox, file))
})

const allSent = () =>
  until('no mail is still to be sent', async () => {
    const { rows } = await sql`
      select from pgboss.job where name = 'subscribers.mail-confirmation' and state < 'completed'`.execute(db)
    return rows.length === 0
  })
const page = async (path: string) => {
  const response = await fetch(`${url}${path}`, { redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const send = async (path: string, values: Record<string, string>, headers: Record<string, string> = {}) => {
  const body = new URLSearchParams(values)
  const response = await fetch(`${url}${path}`, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}
// A form is sent a minute after it was shown.
world.setClock('2026-11-20T10:00:00Z')
const [, moment = ''] = /name="moment" value="([^"]+)"/.exec((await page('/contact')).text) ?? []
world.setClock('2026-11-20T10:01:00Z')
const fill = (path: string, values: Record<string, string>, headers = {}) =>
  send(path, { ...values, moment }, headers)
const mails = () =>
  readdirSync(outbox)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => readMessage(readFileSync(join(outbox, file), 'utf8')))
const tokenIn = (text: string) => /\/abonnement\/([\w-]+)/.exec(text)?.[1] ?? ''
const zoe = 'zoe@example.org'
const ask = (values: Record<string, string> = {}, slug = 'bouguenais') =>
  fill(`/communes/${slug}/abonnement`, { email: zoe, alertes: 'all', ...values })
/** Subscribes and returns the token of the mail. */
async function asked(values: Record<string, string> = {}, slug = 'bouguenais'): Promise<string> {
  const count = mails().length
  expect((await ask(values, slug)).status).toBe(303)
  await until('the mail is sent', () => mails().length > count)
  return tokenIn(mails().find(({ headers }) => headers.get('To') === (values.email ?? zoe))?.text ?? '')
}
const choices = async () =>
  (
    await sql<{ slug: string; alertes: string; confirmed: boolean }>`
      select c.slug, alertes, confirmed_at is not null as confirmed
      from resident_choices join communes c on c.id = commune_id order by slug`.execute(db)
  ).rows
/** Presses the button of a commune on the page of the mail. */
const confirm = (token: string, { id }: { id: string } = town) =>
  send(`/abonnement/${token}/confirmer/${id}`, {})
const save = (token: string, values: Record<string, string>) => fill(`/abonnement/${token}`, values)

test('a resident subscribes, confirms by a button, changes and leaves', async () => {
  const shown = await page('/communes/bouguenais')
  expect(shown.text).toContain('href="/communes/bouguenais/abonnement"')
  expect((await page('/communes/bouguenais/alertes')).text).toContain('/communes/bouguenais/abonnement')
  const { status, location } = await ask({ alertes: 'urgent' })
  expect([status, location]).toEqual([303, '/communes/bouguenais/abonnement?envoye=1'])
  const said = (await page(location ?? '')).text
  expect(said).toContain('rien n’est envoyé avant')
  // Without a mail server. Where the outbox is, the public does not learn.
  expect(said).toContain('attend dans la boîte d’envoi')
  expect(said).not.toContain(config.mail.outboxDir)
  await until('the mail is sent', () => mails().length === 1)
  const [mail] = mails()
  expect(mail?.headers.get('To')).toBe(zoe)
  expect(mail?.headers.get('Subject')).toBe('Votre abonnement : Bouguenais')
  const token = tokenIn(mail?.text ?? '')
  // Scanners of mail follow links.
  for (const path of ['', `/confirmer/${town.id}`]) {
    const response = await fetch(`${url}/abonnement/${token}${path}`)
    expect([response.url, response.status]).toEqual([`${url}/abonnement/${token}`, 200])
    const text = await response.text()
    expect(text).toContain('Les alertes urgentes seulement')
    expect(text).toContain('Confirmer : Bouguenais')
  }
  expect(await choices()).toEqual([{ slug: 'bouguenais', alertes: 'urgent', confirmed: false }])
  const confirmed = await confirm(token)
  expect([confirmed.status, confirmed.location]).toEqual([303, `/abonnement/${token}?envoye=1`])
  const done = (await page(confirmed.location ?? '')).text
  expect(done).toContain('C’est confirmé.')
  expect(done).toMatch(
    /Ce que vous recevez maintenant.*<h3>Bouguenais<\/h3>\s*<ul><li>Les alertes urgentes seulement<\/li><\/ul>/s,
  )
  expect(await choices()).toEqual([{ slug: 'bouguenais', alertes: 'urgent', confirmed: true }])
  expect((await page(`/abonnement/${token}`)).text).toContain('<option value="urgent" selected>')
  // A link with a secret address may be used at once.
  const [, shownNow = ''] =
    /name="moment" value="([^"]+)"/.exec((await page(`/abonnement/${token}`)).text) ?? []
  const changed = await send(`/abonnement/${token}`, { 'alertes-bouguenais': 'all', moment: shownNow })
  expect([changed.status, changed.location]).toEqual([303, `/abonnement/${token}?envoye=1`])
  expect(await choices()).toEqual([{ slug: 'bouguenais', alertes: 'all', confirmed: true }])
  expect((await page(changed.location ?? '')).text).toContain('<ul><li>Toutes les alertes</li></ul>')
  expect((await send(`/abonnement/${token}/quitter`, {})).text).toContain('Vous êtes désinscrit')
  expect((await db.selectFrom('resident_subscribers').selectAll().execute()).length).toBe(0)
  const left = await page(`/abonnement/${token}`)
  expect(left.status).toBe(410)
  expect(left.text).toContain('<h1>Vous êtes désinscrit</h1>')
  expect(left.text).not.toContain('<form')
  expect((await save(token, { 'alertes-bouguenais': 'all' })).text).toContain('<h1>Vous êtes désinscrit</h1>')
})

test('the answer, the stored row and the number of mails do not say whether an address is known', async () => {
  const token = await asked()
  await confirm(token)
  await sql`update resident_subscribers set email_asked_at = now() - interval '61 minutes'`.execute(db)
  const known = await ask({ alertes: 'urgent' })
  const unknown = await ask({ email: 'lea@example.org', alertes: 'urgent' })
  expect(known).toEqual(unknown)
  await until('both are sent', () => mails().length === 3)
  const texts = mails().map(({ text }) =>
    /Bonjour,[\s\S]*? heures\./.exec(text)?.[0].replace(/abonnement\/[\w-]+/, ''),
  )
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toContain('48 heures')
  // A form changes nothing that is confirmed.
  expect(await choices()).toContainEqual({ slug: 'bouguenais', alertes: 'all', confirmed: true })
})

test('an address gets one mail an hour, whose link serves for all that was asked meanwhile', async () => {
  const token = await asked()
  const answers = await Promise.all([ask({}, 'reze'), ask(), ask({}, 'reze'), ask()])
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
  await allSent()
  expect(mails().length).toBe(1)
  for (const place of [town, reze]) expect((await confirm(token, place)).status).toBe(303)
  expect(await choices()).toEqual([
    { slug: 'bouguenais', alertes: 'all', confirmed: true },
    { slug: 'reze', alertes: 'all', confirmed: true },
  ])
})

test('what a stranger asks for stands apart on the page of a subscriber, and saving does not confirm it', async () => {
  const token = await asked()
  await confirm(token)
  const places = []
  for (let count = 0; count < 12; count++) {
    const { id, slug } = await world.commune({ nom: `Lieu ${count}` })
    await ask({ alertes: 'urgent' }, slug)
    places.push({ id, slug })
    await sql`update resident_choices set asked_at = asked_at - interval '1 minute' where confirmed_at is null`.execute(
      db,
    )
  }
  const { text } = await page(`/abonnement/${token}`)
  const buttons = () => [...text.matchAll(/\/confirmer\/([\w-]+)"/g)].map(([, id]) => id)
  // The newest ten.
  expect(buttons().toSorted()).toEqual(
    places
      .slice(2)
      .map(({ id }) => id)
      .toSorted(),
  )
  expect(text).not.toContain('name="alertes-lieu')
  const values = Object.fromEntries(places.map(({ slug }) => [`alertes-${slug}`, 'all']))
  expect((await save(token, { 'alertes-bouguenais': 'urgent', ...values })).status).toBe(303)
  const confirmed = async () => (await choices()).filter((one) => one.confirmed)
  expect(await confirmed()).toEqual([{ slug: 'bouguenais', alertes: 'urgent', confirmed: true }])
  const [, , wanted, refused] = places
  expect((await confirm(token, wanted)).status).toBe(303)
  expect(await confirmed()).toHaveLength(2)
  expect((await send(`/abonnement/${token}/quitter/${refused?.id}`, {})).text).toContain(
    'Votre abonnement continue pour : Bouguenais et Lieu 2.',
  )
  expect(await choices()).toHaveLength(10)
  // A link that a newer request replaced, and an invented one.
  for (const id of [places[0]?.id ?? '', uuidv7(), 'x'])
    expect((await confirm(token, { id })).location).toBe(`/abonnement/${token}`)
  const elsewhere = { 'sec-fetch-site': 'cross-site' }
  expect((await send(`/abonnement/${token}/confirmer/${places[4]?.id}`, {}, elsewhere)).status).toBe(403)
  expect(await confirmed()).toHaveLength(2)
})

test('concurrent first requests of one address store it once and send one mail', async () => {
  await Promise.all([ask(), ask({ email: 'ZOE@example.org' }), ask({}, 'reze'), ask()])
  await allSent()
  const { rows } = await sql`select from resident_subscribers`.execute(db)
  expect([rows.length, (await choices()).length, mails().length]).toEqual([1, 2, 1])
})

test('what nobody confirms within 48 hours cannot be confirmed, and is deleted', async () => {
  const token = await asked()
  await sql`update resident_choices set asked_at = now() - interval '48 hours 1 second'`.execute(db)
  expect((await page(`/abonnement/${token}`)).status).toBe(410)
  expect((await confirm(token)).location).toBe(`/abonnement/${token}`)
  const other = await asked({ email: 'lea@example.org' })
  expect(await deleteUnconfirmed(db, 10)).toBe(1)
  expect((await page(`/abonnement/${other}`)).status).toBe(200)
  await confirm(other)
  await sql`update resident_choices set asked_at = now() - interval '1 year'`.execute(db)
  expect(await deleteUnconfirmed(db, 10)).toBe(0)
})

test('an address asked for again while the unconfirmed row is deleted is stored', async () => {
  await asked()
  for (let round = 0; round < 5; round++) {
    await sql`update resident_choices set asked_at = now() - interval '49 hours'`.execute(db)
    await Promise.all([deleteUnconfirmed(db, 10), ask(), deleteUnconfirmed(db, 10)])
    expect(await choices()).toHaveLength(1)
  }
})

test.each([
  [
    'a form of RFC 8058',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'List-Unsubscribe=One-Click',
  ],
  [
    'a multipart form',
    { 'content-type': 'multipart/form-data; boundary=x' },
    '--x\r\n\r\nOne-Click\r\n--x--',
  ],
  ['an empty request', {}, undefined],
])('one click leaves by %s from another site, once or again', async (_what, headers, body) => {
  const token = await asked()
  const path = `/abonnement/${token}/quitter/${town.id}`
  expect((await page(path)).status).toBe(303)
  expect(await choices()).toHaveLength(1)
  const click = () =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'sec-fetch-site': 'cross-site' },
      ...(body && { body }),
    })
  expect([(await click()).status, (await click()).status]).toEqual([200, 200])
  expect(await choices()).toEqual([])
})

test('leaving one commune leaves the other', async () => {
  const token = await asked()
  await ask({}, 'reze')
  for (const place of [town, reze]) await confirm(token, place)
  const { text } = await page(`/abonnement/${token}`)
  expect(text).toContain('Ne plus rien recevoir de Rezé')
  for (const _time of ['left', 'left before']) {
    const left = await send(`/abonnement/${token}/quitter/${town.id}`, {})
    expect(left.status).toBe(200)
    expect(left.text).toContain('vous ne recevrez plus rien de Bouguenais')
    expect(left.text).toContain('Votre abonnement continue pour : Rezé')
    expect(left.text).toContain(`href="/abonnement/${token}"`)
    expect(left.text).not.toContain('plus rien ne sera envoyé')
    expect((await choices()).map(({ slug }) => slug)).toEqual(['reze'])
  }
  for (const unknown of ['nothing', uuidv7()])
    expect((await send(`/abonnement/${token}/quitter/${unknown}`, {})).status).toBe(404)
  expect(await choices()).toHaveLength(1)
  const { text: last } = await send(`/abonnement/${token}/quitter/${reze.id}`, {})
  expect(last).toContain('plus rien ne sera envoyé')
})

test('a link with another secret, of another form, or of nobody leads nowhere', async () => {
  const token = await asked()
  const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
  for (const [one, status] of [
    [forged, 410],
    [`${token}A`, 404],
    ['x', 404],
  ] as const) {
    expect((await page(`/abonnement/${one}`)).status).toBe(status)
    expect((await confirm(one)).location).toBe(`/abonnement/${one}`)
    expect((await send(`/abonnement/${one}/quitter`, {})).status).toBe(200)
  }
  expect(await choices()).toHaveLength(1)
})

test.each([
  [{ email: 'zoé' }, 422, 'doit être une adresse'],
  [{ email: '' }, 422, 'doit être une adresse'],
  [{ email: 'jean@gmail' }, 422, 'doit être une adresse'],
  [{ alertes: 'none' }, 422, 'choisissez au moins un envoi'],
  [{ alertes: 'often' }, 422, 'n’est pas l’un des choix'],
  [{ adresse_du_site: 'https://spam.example' }, 303, ''],
])('a form with %j is answered with %d and stores nothing', async (values, status, says) => {
  const answer = await ask(values)
  expect(answer.status).toBe(status)
  expect(answer.text).toContain(says)
  expect((await sql`select from resident_subscribers`.execute(db)).rows).toEqual([])
})

test('forms of another site, those that were not shown, and those about nothing change nothing', async () => {
  const token = await asked()
  expect((await save(token, { 'alertes-bouguenais': 'urgent' })).status).toBe(403)
  await confirm(token)
  const elsewhere = { 'sec-fetch-site': 'cross-site' }
  expect((await fill(`/abonnement/${token}`, { 'alertes-bouguenais': 'urgent' }, elsewhere)).status).toBe(403)
  expect((await send(`/abonnement/${token}`, { 'alertes-bouguenais': 'urgent' })).status).toBe(422)
  expect((await save(token, { 'alertes-bouguenais': 'none' })).status).toBe(422)
  expect(await choices()).toEqual([{ slug: 'bouguenais', alertes: 'all', confirmed: true }])
})

test('pages of a subscription are neither cached nor indexed, and set no cookie', async () => {
  const token = await asked()
  const { text, headers } = await page(`/abonnement/${token}`)
  expect(headers.get('cache-control')).not.toContain('public')
  expect(headers.get('set-cookie')).toBeNull()
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(text).toContain('content="noindex"')
})

test('a resident chooses reminders of collections by secteur and hour, and the weekly mail', async () => {
  const place = await world.commune({ slug: 'vertou', nom: 'Vertou' })
  const collecte = {
    commune_id: place.id,
    type_dechet: 'verre',
    libelle: 'Verre',
    mode: 'porte_a_porte',
    jours: ['mardi'],
  }
  const { id } = await db
    .insertInto('collectes')
    .values({ ...collecte, id: uuidv7(), secteur: 'Nord', position: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { text } = await page('/communes/vertou/abonnement')
  expect(text).toContain('<option value="Nord">Nord</option>')
  expect((await page('/communes/bouguenais/abonnement')).text).not.toContain('name="collectes"')
  const chosen = { alertes: 'none', collectes: '19', secteur: 'Nord', actualites: 'oui' }
  expect((await ask({ ...chosen, secteur: 'Sud' }, 'vertou')).status).toBe(422)
  expect((await ask({ ...chosen, collectes: '3' }, 'vertou')).status).toBe(422)
  expect((await ask(chosen, 'vertou')).status).toBe(303)
  await until('the mail is sent', () => mails().length === 1)
  const token = tokenIn(mails()[0]?.text ?? '')
  await confirm(token, place)
  const own = (await page(`/abonnement/${token}`)).text
  for (const option of ['value="19" selected', 'value="Nord" selected', 'value="oui" selected'])
    expect(own).toContain(option)
  const suffixed = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}-vertou`, value]))
  const stored = async () =>
    (
      await sql`select alertes, collectes_hour, collectes_secteur, actualites from resident_choices`.execute(
        db,
      )
    ).rows
  await save(token, suffixed({ ...chosen, actualites: 'non' }))
  expect(await stored()).toEqual([
    { alertes: 'none', collectes_hour: 19, collectes_secteur: 'Nord', actualites: false },
  ])
  const { commune_id: _id, ...row } = collecte
  const renamed = { collectes: [{ ...row, id, secteur: 'Nord-Est' }] }
  expect((await (await world.as('admin')).patch(`/admin/communes/${place.id}`, renamed)).status).toBe(200)
  expect((await page(`/abonnement/${token}`)).text).toContain('value="Nord-Est" selected')
  // Without collections the form has no such field, and the choice stays.
  await db.deleteFrom('collectes').where('id', '=', id).execute()
  await save(token, suffixed({ alertes: 'all', actualites: 'non' }))
  expect(await stored()).toMatchObject([{ alertes: 'all', collectes_hour: 19, collectes_secteur: 'Nord' }])
})

test('a resident gives an address in place of the secteur, which alone is kept', async () => {
  const { id } = await world.commune({ slug: 'adressee', nom: 'Adressée' })
  const admin = await world.as('admin')
  const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['samedi'] }
  await admin.patch(`/admin/communes/${id}`, {
    collectes: ['Nord', 'Sud'].map((secteur) => ({ ...collecte, secteur })),
  })
  const { data } = (await admin.get(`/mairie/communes/${id}/secteurs`)).body
  for (const [at, range] of [{ a: 9 }, { de: 10 }].entries())
    await admin.patch(`/mairie/communes/${id}/secteurs/${data[at].id}`, {
      rues: [{ rue: 'Rue Haute', ...range }],
    })
  const form = (await page('/communes/adressee/abonnement')).text
  expect(form).toContain('name="adresse"')
  expect(form).toContain('« Je ne sais pas »')
  expect(form).not.toContain('name="secteur"')
  const { text: chosen } = await page('/communes/adressee/abonnement?secteur=sud')
  expect(chosen).toContain('<option value="Sud" selected>')
  expect(chosen).not.toContain('name="adresse"')
  expect(chosen).toContain('action="/communes/adressee/abonnement?secteur=sud"')
  expect((await page('/communes/adressee/abonnement?secteur=Ouest')).text).toContain('name="adresse"')
  const refused = async (adresse: string) => (await ask({ collectes: '19', adresse }, 'adressee')).text
  expect(await refused('rue haute')).toContain('est dans plusieurs secteurs (Nord, Sud)')
  expect(await refused('12 haute')).toContain('vouliez-vous dire : 12 Rue Haute')
  expect(await refused('rue basse')).toContain('n’est dans aucun secteur connu')
  expect((await ask({ collectes: '19', adresse: '12 rue haute' }, 'adressee')).status).toBe(303)
  const { rows } = await sql`select collectes_hour, collectes_secteur from resident_choices`.execute(db)
  expect(rows).toEqual([{ collectes_hour: 19, collectes_secteur: 'Sud' }])
  // A secteur without collections of its own is one too, and stays when its page is saved.
  await admin.post(`/mairie/communes/${id}/secteurs`, { nom: 'Îles', rues: [{ rue: 'Rue Basse' }] })
  await allSent()
  const token = await asked({ email: 'ana@example.org', collectes: '19', adresse: 'rue basse' }, 'adressee')
  await confirm(token, { id })
  const own = (await page(`/abonnement/${token}`)).text
  expect(own).toMatch(/<option[^>]* selected[^>]*>Îles</)
  // The page of a subscriber without a secteur asks the address too.
  const late = { email: 'eve@example.org', collectes: '19' }
  const later = await asked(late, 'adressee')
  await confirm(later, { id })
  const asks = (await page(`/abonnement/${later}`)).text
  expect(asks).toContain('name="adresse-adressee"')
  expect(asks).not.toContain('name="secteur-adressee"')
  const changed = { 'alertes-adressee': 'all', 'collectes-adressee': '19' }
  const refusal = await save(later, { ...changed, 'adresse-adressee': 'rue haute' })
  expect(refusal.text).toContain('est dans plusieurs secteurs (Nord, Sud)')
  expect((await save(later, { ...changed, 'adresse-adressee': '12 rue haute' })).status).toBe(303)
  const chosenNow = (await page(`/abonnement/${later}`)).text
  expect(chosenNow).toContain('<option value="Sud" selected>')
  // With a secteur she still changes it by her address, or keeps it without one.
  expect(chosenNow).toMatch(/<input type="text" id="adresse-adressee"[^>]* value="">/)
  const kept = { ...changed, 'secteur-adressee': 'Sud' }
  const unknown = await save(later, { ...kept, 'adresse-adressee': 'rue inconnue' })
  expect(unknown.text).toContain('n’est dans aucun secteur connu')
  expect((await save(later, { ...kept, 'adresse-adressee': '3 rue haute' })).status).toBe(303)
  expect((await page(`/abonnement/${later}`)).text).toContain('<option value="Nord" selected>')
  expect((await save(later, kept)).status).toBe(303)
  expect((await page(`/abonnement/${later}`)).text).toContain('<option value="Sud" selected>')
  // Without reminders of collections an unknown address is no error.
  const other = { email: 'lou@example.org', collectes: 'non', adresse: 'rue inconnue' }
  expect((await ask(other, 'adressee')).status).toBe(303)
})

test('forms that are accepted count by network and by address; those that are refused do not', async () => {
  const env = {
    RATE_LIMIT_SUBSCRIBE: '3/hour',
    RATE_LIMIT_SUBSCRIBE_ADDRESS: '2/hour',
    TRUST_PROXY: 'loopback',
  }
  const limited = await openWorld({ env })
  await limited.commune({ slug: 'bouguenais' })
  limited.setClock('2026-11-20T10:01:00Z')
  const post = async (values: Record<string, string>, from = '192.0.2.1', more = {}) => {
    const body = new URLSearchParams({ moment, alertes: 'all', ...values })
    const headers = { 'x-forwarded-for': from, ...more }
    const path = `${limited.url}/communes/bouguenais/abonnement`
    const response = await fetch(path, { method: 'POST', body, headers, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }
  const elsewhere = { 'sec-fetch-site': 'cross-site' }
  for (let count = 0; count < 4; count++) {
    expect((await post({ email: zoe }, undefined, elsewhere)).status).toBe(403)
    for (const wrong of [{ email: 'zoé' }, { email: zoe, moment: '' }, { email: zoe, alertes: 'none' }])
      expect((await post(wrong)).status).toBe(422)
  }
  for (const email of ['a', 'b', 'c'])
    expect((await post({ email: `${email}@example.org` })).status).toBe(303)
  const refused = await post({ email: 'd@example.org' })
  expect(refused.status).toBe(429)
  expect(refused.text).toContain('value="d@example.org"')
  expect(refused.text).toContain('Réessayez dans une heure.')
  // One address from many networks.
  for (const [at, status] of [303, 303, 429].entries())
    expect((await post({ email: at === 0 ? zoe : zoe.toUpperCase() }, `192.0.2.${at + 2}`)).status).toBe(
      status,
    )
})

test('the database holds no address and no token; a copy of it opens no link', async () => {
  const token = await asked()
  const { rows } = await sql<{ text: string }>`
    select s::text || encode(s.address, 'escape') as text from resident_subscribers s`.execute(db)
  expect(rows[0]?.text).not.toContain('zoe')
  expect(rows[0]?.text).not.toContain(token.slice(22))
})

test('a new SESSION_KEY takes over: links stay, the address is found, and the old key is needed no more', async () => {
  const token = await asked()
  await confirm(token)
  const [old = ''] = config.sessionKeys
  const both = addressesOf(['a new session key for tests, long enough', old])
  const signal = new AbortController().signal
  const next = addressesOf(['a new session key for tests, long enough'])
  const sealed = async () =>
    (await db.selectFrom('resident_subscribers').select(['id', 'address', 'address_digest']).execute())[0]
  const before = await sealed()
  expect(next.open(before?.id ?? '', before?.address ?? Buffer.alloc(0))).toBeNull()
  expect(
    both.digests('email', zoe).some((digest) => digest.equals(before?.address_digest ?? Buffer.alloc(0))),
  ).toBe(true)
  expect(await rekey(db, next, signal)).toEqual({ done: 0, unreadable: 1 })
  expect(await rekey(db, both, signal, 1)).toEqual({ done: 1, unreadable: 0 })
  expect(await rekey(db, both, signal)).toEqual({ done: 0, unreadable: 0 })
  const after = await sealed()
  const contents = next.open(after?.id ?? '', after?.address ?? Buffer.alloc(0))
  expect(contents).toMatchObject({ channel: 'email', address: zoe, secret: token.slice(22) })
  expect(next.digests('email', zoe)[0]?.equals(after?.address_digest ?? Buffer.alloc(0))).toBe(true)
})

test('a person’s subscriptions are exported and erased by their address', async () => {
  const token = await asked()
  await confirm(token)
  await asked({ email: 'lea@example.org' })
  const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
  let text = ''
  for await (const piece of exportPerson(tools, { userIds: [], emails: [zoe] })) text += piece
  expect(JSON.parse(text).resident_subscribers).toMatchObject([
    { address: zoe, choices: [{ commune_id: town.id, alertes: 'all' }] },
  ])
  const { changed } = await erasePerson(tools, { email: 'Zoe@example.org' })
  expect(changed.resident_subscribers).toHaveLength(1)
  expect((await page(`/abonnement/${token}`)).status).toBe(410)
  expect(await choices()).toHaveLength(1)
})

const browserOf = (name: string) => {
  const curve = createECDH('prime256v1')
  return {
    endpoint: `https://push.example.org/${name}`,
    p256dh: curve.generateKeys('base64url'),
    auth: 'a'.repeat(22),
  }
}
const askByBrowser = (browser: object, values: Record<string, string> = {}, slug = 'bouguenais') =>
  fill(`/communes/${slug}/abonnement`, { ...browser, alertes: 'all', ...values })

test('a browser subscribes without a mail, is confirmed at once, and has the page of a subscription', async () => {
  const browser = browserOf('one')
  const { status, location } = await askByBrowser(browser, { alertes: 'urgent' })
  expect(status).toBe(303)
  expect(location).toMatch(/^\/abonnement\/[\w-]{44}\?envoye=1$/)
  expect((await page(location ?? '')).text).toContain('C’est confirmé.')
  expect(await choices()).toEqual([{ slug: 'bouguenais', alertes: 'urgent', confirmed: true }])
  const token = tokenIn(location ?? '')
  const shown = await page(`/abonnement/${token}`)
  expect(shown.text).toContain('Voici ce que cet appareil reçoit')
  expect(shown.text).not.toContain('<script src')
  await save(token, { 'alertes-bouguenais': 'all' })
  expect(await choices()).toEqual([{ slug: 'bouguenais', alertes: 'all', confirmed: true }])
  const { rows } = await sql<{ text: string }>`
    select encode(address, 'escape') || encode(address_digest, 'escape') as text from resident_subscribers`.execute(
    db,
  )
  for (const secret of Object.values(browser)) expect(rows[0]?.text).not.toContain(secret)
  expect((await send(`/abonnement/${token}/quitter`, {})).text).toContain('Vous êtes désinscrit')
  expect((await db.selectFrom('resident_subscribers').selectAll().execute()).length).toBe(0)
  expect(mails()).toEqual([])
})

test('a browser that subscribes again keeps its page, gets its new keys, and may add a commune', async () => {
  const first = await askByBrowser(browserOf('two'))
  const again = browserOf('two')
  expect((await askByBrowser(again, {}, 'reze')).location).toBe(first.location)
  expect((await choices()).map(({ slug }) => slug)).toEqual(['bouguenais', 'reze'])
  const row = await db.selectFrom('resident_subscribers').selectAll().executeTakeFirst()
  const contents = addressesOf(config.sessionKeys).open(row?.id ?? '', row?.address ?? Buffer.alloc(0))
  expect(contents?.push?.p256dh).toBe(again.p256dh)
})

test('a browser finds its page by its endpoint; an unknown endpoint finds none', async () => {
  const { location } = await askByBrowser(browserOf('three'))
  const found = await send('/abonnement/appareil', { endpoint: browserOf('three').endpoint })
  expect([found.status, `${found.location}?envoye=1`]).toEqual([303, location])
  expect((await send('/abonnement/appareil', { endpoint: 'https://push.example.org/none' })).status).toBe(404)
  expect((await send('/abonnement/appareil', {})).status).toBe(404)
})

const move = (before: string, to: object) =>
  send('/abonnement/appareil/adresse', { before: browserOf(before).endpoint, ...to })
const kept = async () => {
  const rows = await db.selectFrom('resident_subscribers').selectAll().execute()
  return rows.map(({ id, address }) => addressesOf(config.sessionKeys).open(id, address))
}

test('a browser whose push service gives it another endpoint keeps its choices and its page', async () => {
  const { location } = await askByBrowser(browserOf('before'))
  const [was] = await kept()
  const { endpoint, p256dh, auth } = browserOf('after')
  expect((await move('before', { endpoint, p256dh, auth })).status).toBe(204)
  const keys = { ...was?.push, p256dh, auth }
  expect(await kept()).toEqual([{ ...was, address: endpoint, push: keys }])
  expect((await page(location ?? '')).status).toBe(200)
  expect(await choices()).toHaveLength(1)
  // The same endpoint with other keys; and a request that is repeated, whose first response was lost.
  const again = browserOf('after')
  expect((await move('after', again)).status).toBe(204)
  expect((await kept())[0]?.push?.p256dh).toBe(again.p256dh)
  expect((await move('before', again)).status).toBe(404)
})

test('a browser is not moved to what reaches none, nor to the endpoint of another subscription', async () => {
  await askByBrowser(browserOf('before'))
  await askByBrowser(browserOf('taken'), {}, 'reze')
  const before = await kept()
  const { p256dh, auth } = browserOf('after')
  expect(
    (await move('before', { ...browserOf('after'), endpoint: 'http://push.example.org/after' })).status,
  ).toBe(404)
  expect(
    (await move('before', { ...browserOf('after'), endpoint: 'https://elsewhere.example.org/after' })).status,
  ).toBe(404)
  expect((await move('before', { ...browserOf('after'), p256dh: 'short' })).status).toBe(404)
  expect((await move('before', browserOf('taken'))).status).toBe(404)
  expect((await move('unknown', browserOf('after'))).status).toBe(404)
  expect((await move('before', { p256dh, auth })).status).toBe(422)
  expect(await kept()).toEqual(before)
})

test('of concurrent moves of a browser one succeeds', async () => {
  await askByBrowser(browserOf('before'))
  const moved = await db.transaction().execute(async (tx) => {
    await sql`select from resident_subscribers for update`.execute(tx)
    const moves = ['a', 'b', 'c'].map((name) => move('before', browserOf(name)))
    await untilWaiting(db, 3)
    return { answers: Promise.all(moves) }
  })
  const answers = await moved.answers
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404])
  expect(await kept()).toHaveLength(1)
})

test('what no message can be encrypted for, or sent to, is refused with the form', async () => {
  const browser = browserOf('four')
  for (const wrong of [
    { endpoint: 'http://push.example.org/four' },
    { endpoint: 'https://a:b@push.example.org/four' },
    // No service of PUSH_SERVICES.
    { endpoint: 'https://elsewhere.example.org/four' },
    { endpoint: 'https://push.example.org:8443/four' },
    { endpoint: 'https://push.example.net/four' },
    { endpoint: 'https://xpush.example.net/four' },
    { endpoint: 'https://push.example.org.example.com/four' },
    { endpoint: `https://push.example.org/${'x'.repeat(1_000)}` },
    { p256dh: browserOf('x').p256dh.replace(/^.{20}/, 'BAAAAAAAAAAAAAAAAAAA') },
    { p256dh: 'short' },
    { auth: 'short' },
    { alertes: 'none' },
  ]) {
    const { status, text } = await askByBrowser({ ...browser, ...wrong }, { ...wrong })
    expect([wrong, status]).toEqual([wrong, 422])
    expect(text).toContain('<template id="canal"')
  }
  expect(await choices()).toEqual([])
})

test('endpoints of the services of PUSH_SERVICES are accepted, below a domain too', async () => {
  const answers = [
    await askByBrowser({ ...browserOf('six'), endpoint: 'https://fr.push.example.net/six' }),
    await askByBrowser({ ...browserOf('seven'), endpoint: 'https://PUSH.example.org:443/seven' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
})

test('only the page of the form has a script, under a policy of its own', async () => {
  const { text, headers } = await page('/communes/bouguenais/abonnement')
  const [, script = ''] = /<script type="module" src="([^"]+)" blocking="render">/.exec(text) ?? []
  expect(script).toMatch(/^\/site\/[\w-]{20}\.js$/)
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("; script-src 'self'; worker-src 'self'; connect-src 'self';")
  const file = await page(script)
  expect(file.headers.get('cache-control')).toContain('immutable')
  const [, worker = ''] = /data-ouvrier="([^"]+)"/.exec(text) ?? []
  const served = await page(worker)
  expect([served.status, served.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(served.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(served.headers.get('service-worker-allowed')).toBe('/')
  expect(served.headers.get('content-security-policy')).toContain("default-src 'none'; connect-src 'self';")
  const other = await page('/communes/bouguenais/alertes')
  expect(other.text).not.toContain('<script type="module"')
  expect(other.headers.get('content-security-policy')).not.toContain('script-src')
})

test('a rotated SESSION_KEY leaves the page and the keys of a browser as they are', async () => {
  const browser = browserOf('five')
  const token = tokenIn((await askByBrowser(browser)).location ?? '')
  const addresses = addressesOf(['n'.repeat(32), ...config.sessionKeys])
  expect(await rekey(db, addresses, new AbortController().signal)).toEqual({ done: 1, unreadable: 0 })
  const row = await db.selectFrom('resident_subscribers').selectAll().executeTakeFirst()
  const present = addressesOf(['n'.repeat(32)]).open(row?.id ?? '', row?.address ?? Buffer.alloc(0))
  expect(present).toMatchObject({ address: browser.endpoint, push: { p256dh: browser.p256dh } })
  expect(token.endsWith(present?.secret ?? 'none')).toBe(true)
})

test('the link of a resident leads to the domain that all their communes have, else to the platform', async () => {
  const token = 'a'.repeat(43)
  await db
    .insertInto('domains')
    .values({
      id: uuidv7(),
      host: 'ville.test',
      commune_id: town.id,
      token,
      verified_at: '2026-11-20T10:00:00Z',
    })
    .execute()
  await asked()
  expect(mails().at(-1)?.text).toContain('http://ville.test:3000/abonnement/')
  await asked({ email: 'max@example.org' }, 'reze')
  const [other] = mails().filter(({ headers }) => headers.get('To') === 'max@example.org')
  expect(other?.text).toContain('http://localhost:3000/abonnement/')
  const originOf = await originFinder(db, config)
  expect([originOf([town.id]), originOf([town.id, reze.id])]).toEqual([
    ...['http://ville.test:3000', 'http://localhost:3000'],
  ])
  await sql`delete from domains`.execute(db)
})
