import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../test/support/locks.ts'
import { openWorld } from '../../test/support/world.ts'
import { complaintsKit, why } from '../modules/complaints/complaints.test-kit.ts'
import { objectionLinks } from '../modules/grounds/objecting.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { reportsKit } from '../modules/publications/reports/reports.test-kit.ts'
import { defaultPools } from '../platform/database/pools/pools.ts'
import type { WriteState } from '../platform/database/watch/watch-disk.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
const reports = reportsKit(world)
const acteur = await world.acteur({ slug: 'club', nom: 'Club', valide: true })
await insertPublication(world, { slug: 'fete', title: 'Fête', acteur_id: acteur.id })
world.setClock('2026-11-20T10:00:00Z')

const momentOf = async (path: string) => {
  const text = await (await fetch(`${url}${path}`)).text()
  return /name="moment" value="([^"]+)"/.exec(text)?.[1] ?? ''
}
const send = async (path: string, values: Record<string, string>, headers: Record<string, string> = {}) => {
  const body = new URLSearchParams(values)
  const response = await fetch(`${url}${path}`, { method: 'POST', body, headers, redirect: 'manual' })
  return {
    status: response.status,
    location: response.headers.get('location'),
    text: await response.text(),
  }
}
/** Shows the form, and sends it a minute later. */
async function fill(path: string, values: Record<string, string>, headers = {}) {
  world.setClock('2026-11-20T10:00:00Z')
  const moment = await momentOf(path)
  world.setClock('2026-11-20T10:01:00Z')
  return send(path, { ...values, moment }, headers)
}
const message = { email: 'zoe@example.org', subject: 'Bac', body: 'Le bac n’est pas relevé.' }
const count = async (table: 'support_threads' | 'claims' | 'publication_reports') =>
  (await db.selectFrom(table).select('id').execute()).length

test('the form to write to the support says that a reply cannot leave while no mail server is set', async () => {
  const note = 'la réponse attendra dans la boîte d’envoi'
  expect((await (await fetch(`${url}/contact`)).text()).includes(note)).toBe(true)
  const mailing = await openWorld({ env: { MAIL_URL: 'smtp://mail.example.org' } })
  expect((await (await fetch(`${mailing.url}/contact`)).text()).includes(note)).toBe(false)
})

test('each field of an e-mail address shows the format that is expected', async () => {
  await world.commune({ slug: 'bourg' })
  const forms = ['/publications/fete/signaler', '/acteurs/club/revendiquer', '/contact']
  for (const path of [...forms, '/communes/bourg/inscrire', '/communes/bourg/abonnement']) {
    const text = await (await fetch(`${url}${path}`)).text()
    const [field = ''] = /<input type="email"[^>]*>/.exec(text) ?? []
    expect(field, path).toContain('aria-describedby="email-aide"')
    expect(/id="email-aide">([^<]*)/.exec(text)?.[1], path).toContain('Sous la forme nom@exemple.fr.')
  }
})

test('a publication is reported, and a page confirms', async () => {
  const path = '/publications/fete/signaler'
  const { status, location } = await fill(path, { category: 'wrong', message: 'La date\r\nest fausse' })
  expect([status, location]).toEqual([303, `${path}?envoye=1`])
  expect(await (await fetch(`${url}${location}`)).text()).toContain('a bien été reçu')
  const rows = await db.selectFrom('publication_reports').select(['category', 'message']).execute()
  expect(rows).toEqual([{ category: 'wrong', message: 'La date\nest fausse' }])
})

test('the form of a report asks for a reason, and keeps the chosen one', async () => {
  const path = '/publications/fete/signaler'
  const text = await (await fetch(`${url}${path}`)).text()
  expect(text).toContain(
    '<select id="category" name="category" required><option value="" selected>Choisissez</option>',
  )
  const again = await fill(path, { category: 'wrong', email: 'zoe' })
  expect(again.text).toMatch(/<select id="category" name="category"><option value="[a-z_]+"/)
  expect(again.text).toContain('<option value="wrong" selected>')
})

test('a reporter gives an address, and confirms it by the link of the receipt', async () => {
  const path = '/publications/fete/signaler'
  const wrong = await fill(path, { category: 'spam', message: 'Publicité', email: 'zoe' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('<a href="#email">')
  expect(wrong.text).toContain('Publicité')
  expect((await fill(path, { category: 'spam', email: 'zoe@example.org', name: 'Zoé' })).status).toBe(303)
  const [mail] = await reports.send()
  const link = /\/signalement\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
  const read = async () => {
    const response = await fetch(`${url}${link}`)
    expect(response.headers.get('cache-control')).toContain('no-store')
    return response.text()
  }
  expect(await read()).toContain('C’est mon adresse')
  const confirmed = () => db.selectFrom('reporters').select('confirmed_at').executeTakeFirstOrThrow()
  // Scanners of mail open the link.
  expect((await confirmed()).confirmed_at).toBeNull()
  expect((await fill(link, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect(await fill(link, {})).toMatchObject({ status: 303, location: `${link}?envoye=1` })
  expect((await confirmed()).confirmed_at).toEqual(expect.any(Date))
  expect(await read()).toContain('Cette adresse est confirmée')
  await db.deleteFrom('reporters').execute()
  for (const other of [link, `/signalement/${'a'.repeat(44)}`]) {
    const gone = await fetch(`${url}${other}`)
    expect([gone.status, (await gone.text()).includes('n’est plus enregistrée')]).toEqual([410, true])
  }
  expect((await fetch(`${url}/signalement/abc`)).status).toBe(404)
})

test('an acteur is claimed, once, and the claimant gets the reference', async () => {
  const path = '/acteurs/club/revendiquer'
  const claim = { message: 'Je préside ce club.', nom: 'Zoé', email: 'zoe@example.org' }
  world.setClock('2026-11-20T10:00:00Z')
  const moment = await momentOf(path)
  world.setClock('2026-11-20T10:01:00Z')
  const { status, location } = await send(path, { ...claim, moment })
  expect(status).toBe(303)
  const { reference } = await db.selectFrom('claims').select('reference').executeTakeFirstOrThrow()
  expect(await (await fetch(`${url}${location}`)).text()).toContain(`<strong>${reference}</strong>`)
  const forged = await fetch(`${url}/acteurs/club/revendiquer?envoye=1&reference=%3Cb%3Eappelez`)
  expect(await forged.text()).not.toContain('appelez')
  const again = await send(path, { ...claim, moment })
  expect(again.status).toBe(409)
  expect(again.text).toContain('Je préside ce club.')
  expect(await count('claims')).toBe(1)
})

test('the page of an acteur offers to claim it while nobody owns it or has claimed it', async () => {
  const { id } = await world.acteur({ slug: 'libre', nom: 'Libre', valide: true })
  const pageOf = async (path: string) => (await fetch(`${url}${path}`)).text()
  const offer = '/acteurs/libre/revendiquer'
  const pending = 'Quelqu’un a déjà demandé cette page'
  expect(await pageOf('/acteurs/libre')).toContain(offer)
  const claim = await fill(offer, { message: 'Je préside.', email: 'ava@example.org' })
  expect(claim.status).toBe(303)
  await expect.poll(() => pageOf('/acteurs/libre')).toContain(pending)
  expect(await pageOf('/acteurs/libre')).not.toContain(offer)
  const form = await pageOf(offer)
  expect(form).toContain(pending)
  expect(form).not.toContain('<form')
  const admin = await world.as('admin')
  const stored = await db
    .selectFrom('claims')
    .select('id')
    .where('acteur_id', '=', id)
    .executeTakeFirstOrThrow()
  await admin.patch(`/admin/claims/${stored.id}`, { status: 'rejected', reason: 'Non' })
  await expect.poll(() => pageOf('/acteurs/libre')).toContain(offer)
  await world.user({ memberships: [{ acteur: { id }, role: 'owner' }] })
  await expect.poll(() => pageOf('/acteurs/libre')).not.toContain(offer)
})

test('a claim that is overdue blocks nobody, although its expiry has not run', async () => {
  const { id: acteur_id } = await world.acteur({ slug: 'tard', nom: 'Tard', valide: true })
  const created_at = new Date(Date.now() - 400 * 86_400_000)
  await db
    .insertInto('claims')
    .values({ id: uuidv7(), acteur_id, message: 'x', reference: 'R-1', created_at })
    .execute()
  expect(await (await fetch(`${url}/acteurs/tard`)).text()).toContain('/acteurs/tard/revendiquer')
})

test('the form of an acteur that somebody owns says so before anything is typed', async () => {
  const form = async () => (await fetch(`${url}/acteurs/prise/revendiquer`)).text()
  const prise = await world.acteur({ slug: 'prise', nom: 'Prise', valide: true })
  expect(await form()).not.toContain('a déjà un responsable')
  await world.user({ memberships: [{ acteur: prise, role: 'owner' }] })
  expect(await form()).toContain('a déjà un responsable')
})

test('where claims need an account, no page offers the form, and its address says where to sign in', async () => {
  const strict = await openWorld({ env: { CLAIMS_REQUIRE_BEARER: 'true' } })
  await strict.acteur({ slug: 'club', nom: 'Club', valide: true })
  expect(await (await fetch(`${strict.url}/acteurs/club`)).text()).not.toContain('revendiquer')
  const path = `${strict.url}/acteurs/club/revendiquer`
  const shown = await fetch(path)
  const sent = await fetch(path, { method: 'POST', body: new URLSearchParams({ message: 'Je préside.' }) })
  expect([shown.status, sent.status]).toEqual([200, 403])
  for (const text of [await shown.text(), await sent.text()]) {
    expect(text).toContain('demandes de personnes connectées')
    expect(text).toContain('href="/contact"')
    expect(text).not.toContain('<form')
  }
  expect(await strict.db.selectFrom('claims').select('id').execute()).toEqual([])
})

test('a message that is refused keeps what was typed, and says in French what is wrong', async () => {
  const { status, text } = await fill('/contact', { ...message, email: 'zoé', subject: '"><b>Bac' })
  expect(status).toBe(422)
  expect(text).toContain('doit être une adresse e-mail valide')
  expect(text).toContain('value="&quot;&gt;&lt;b&gt;Bac"')
  expect(text).toContain('Le bac n’est pas relevé.</textarea>')
  const empty = await fill('/contact', { email: 'zoe@example.org' })
  expect(empty.status).toBe(422)
  expect(empty.text).toContain('<a href="#body">Votre message</a> : est obligatoire')
  expect((await fill('/contact', message)).status).toBe(303)
  expect(await count('support_threads')).toBe(1)
})

test.each([
  ['at once', '2026-11-20T10:00:01Z'],
  ['after two hours', '2026-11-20T12:00:01Z'],
])('a form that is sent %s is shown again', async (_when, at) => {
  world.setClock('2026-11-20T10:00:00Z')
  const moment = await momentOf('/contact')
  world.setClock(at)
  const before = await count('support_threads')
  for (const given of [moment, '', 'x.y', moment.replace(/.$/, '')]) {
    const { status, text } = await send('/contact', { ...message, moment: given })
    expect(status).toBe(422)
    expect(text).toContain('Le bac n’est pas relevé.')
  }
  expect(await count('support_threads')).toBe(before)
})

test('a filled trap field is thanked, and nothing is stored', async () => {
  const before = await count('support_threads')
  const { status } = await fill('/contact', { ...message, adresse_du_site: 'https://spam.example' })
  expect([status, await count('support_threads')]).toEqual([303, before])
})

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ origin: 'https://elsewhere.example' }, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 303],
  [{ origin: 'http://localhost:3000' }, 303],
])('a form sent with %j is answered with %d', async (headers, status) => {
  expect((await fill('/contact', message, headers)).status).toBe(status)
})

test.each([
  ['a strange origin', { headers: { origin: 'https://elsewhere.example' } }, 403, 'depuis un autre site'],
  ['64 kB', { body: `body=${'x'.repeat(70_000)}` }, 413, 'Raccourcissez le texte'],
  [
    'a file',
    { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: 'x' },
    415,
    'fichier joint',
  ],
  ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{' }, 400, 'Rechargez la page'],
])('a form with %s is refused by a sentence that helps', async (_what, init, status, words) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const headers = { ...form, ...('headers' in init ? init.headers : {}) }
  const response = await fetch(`${url}/contact`, { method: 'POST', body: 'a=b', ...init, headers })
  const text = await response.text()
  expect(response.status).toBe(status)
  expect(text).toContain(words)
  expect(text).not.toContain('Réessayez dans quelques instants')
})

test('forms about what is hidden do not exist', async () => {
  await insertPublication(world, { slug: 'secrete', moderation_status: 'pending', valide: false })
  for (const path of ['/publications/secrete/signaler', '/acteurs/inconnu/revendiquer'])
    expect([(await fetch(`${url}${path}`)).status, (await fill(path, {})).status]).toEqual([404, 404])
})

test('a form that meets a limit keeps its text, and says when to try again', async () => {
  const limited = await openWorld({ env: { RATE_LIMIT_SUPPORT: '1/hour' } })
  const post = () => fetch(`${limited.url}/contact`, { method: 'POST', body: new URLSearchParams(message) })
  expect((await post()).status).toBe(422)
  for (const _time of ['counted', 'refused from memory']) {
    const refused = await post()
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(refused.headers.get('referrer-policy')).toBe('same-origin')
    const text = await refused.text()
    expect(text).toContain('Le bac n’est pas relevé.</textarea>')
    expect(text).toContain('Réessayez dans une heure.')
    expect(text).toMatch(/name="moment" value="\d/)
  }
  const body = new URLSearchParams(message)
  const headers = { 'sec-fetch-site': 'cross-site' }
  const strange = await fetch(`${limited.url}/contact`, { method: 'POST', body, headers })
  expect(strange.status).toBe(403)
  expect(await strange.text()).not.toContain('Le bac')
})

test('a form that another site sends does not count towards the limit of its visitor', async () => {
  const limited = await openWorld({ env: { RATE_LIMIT_SUPPORT: '1/hour' } })
  const post = async (headers = {}) =>
    (await fetch(`${limited.url}/contact`, { method: 'POST', body: new URLSearchParams(message), headers }))
      .status
  for (const site of ['cross-site', 'same-site']) expect(await post({ 'sec-fetch-site': site })).toBe(403)
  expect([await post(), await post()]).toEqual([422, 429])
})

test('a form keeps its text while the database does not answer or refuses writes', async () => {
  const writeState: WriteState = { writesRefused: null }
  const away = await openWorld({
    writeState,
    limits: { ...defaultPools, writes: { ...defaultPools.writes, lockMs: 200 } },
  })
  const clockOf = async (values: Record<string, string>) => {
    away.setClock('2026-11-20T10:00:00Z')
    const shown = await (await fetch(`${away.url}/contact`)).text()
    const moment = /name="moment" value="([^"]+)"/.exec(shown)?.[1] ?? ''
    away.setClock('2026-11-20T10:01:00Z')
    const body = new URLSearchParams({ ...values, moment })
    const response = await fetch(`${away.url}/contact`, { method: 'POST', body })
    return { status: response.status, text: await response.text() }
  }
  const expectKept = ({ status, text }: { status: number; text: string }) => {
    expect(status).toBe(503)
    expect(text).toContain('momentanément indisponible')
    expect(text).toContain('Le bac n’est pas relevé.</textarea>')
  }
  await away.db.transaction().execute(async (tx) => {
    await sql`lock table support_threads in exclusive mode`.execute(tx)
    expectKept(await clockOf(message))
  })
  writeState.writesRefused = { en: 'The disk is full.', fr: 'Le disque est plein.' }
  expectKept(await clockOf(message))
  writeState.writesRefused = null
  expect((await clockOf(message)).status).toBe(200)
})

test('a form keeps its text when the service is overloaded, and other pages say so as pages', async () => {
  const one = { slots: 1, capacity: 0, maxWaitMs: 60_000, targetMs: 60_000 }
  const limit = { ...one, reserved: { signedIn: 0, anonymous: 1 }, anonymousWhileSignedIn: 1 }
  const busy = await openWorld({ admissionLimits: { reads: limit, lists: limit, writes: limit } })
  busy.setClock('2026-11-20T10:00:00Z')
  const shown = await (await fetch(`${busy.url}/contact`)).text()
  const moment = /name="moment" value="([^"]+)"/.exec(shown)?.[1] ?? ''
  busy.setClock('2026-11-20T10:01:00Z')
  const post = () =>
    fetch(`${busy.url}/contact`, { method: 'POST', body: new URLSearchParams({ ...message, moment }) })
  const { first } = await busy.db.transaction().execute(async (tx) => {
    await sql`lock table support_threads, communes in access exclusive mode`.execute(tx)
    const first = [post(), fetch(`${busy.url}/communes/ici/agenda`)]
    await untilWaiting(busy.db, 2)
    const refused = await post()
    expect([refused.status, refused.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(await refused.text()).toContain('Le bac n’est pas relevé.</textarea>')
    const page = await fetch(`${busy.url}/communes`)
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.headers.get('retry-after')).not.toBeNull()
    expect(await page.text()).toContain('Service momentanément indisponible')
    return { first }
  })
  // The waiting requests end before the service does.
  await Promise.all(first)
})

test('forms come from either public address', async () => {
  const env = { PUBLIC_URL: 'https://api.example.org', PUBLIC_SITE_URL: 'https://ville.example.org/' }
  const elsewhere = await openWorld({ env })
  const post = async (headers: Record<string, string>) =>
    (await fetch(`${elsewhere.url}/contact`, { method: 'POST', body: new URLSearchParams(message), headers }))
      .status
  for (const origin of ['https://api.example.org', 'https://ville.example.org']) {
    expect(await post({ origin })).toBe(422)
    expect(await post({ origin, 'sec-fetch-site': 'cross-site' })).toBe(422)
  }
  expect(await post({ origin: 'http://localhost:3000' })).toBe(403)
  expect(await post({ origin: 'null', 'sec-fetch-site': 'cross-site' })).toBe(403)
})

test('restricted to communes, an acteur that is shown by its publications can be claimed', async () => {
  const [shown, other] = [await world.commune(), await world.commune()]
  const guest = await world.acteur({ slug: 'invite', nom: 'Invité', valide: true, commune_id: other.id })
  const nomad = await world.acteur({ slug: 'itinerant', nom: 'Itinérant', valide: true })
  await world.acteur({ slug: 'ailleurs', nom: 'Ailleurs', valide: true, commune_id: other.id })
  for (const { id: acteur_id } of [guest, nomad])
    await insertPublication(world, { acteur_id, commune_id: other.id, commune_ids: [other.id, shown.id] })
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict([shown.id])
  try {
    const claim = { message: 'Je le préside.', nom: 'Zoé', email: 'zoe@example.org' }
    for (const [slug, status] of [
      ['invite', 303],
      ['itinerant', 303],
      ['ailleurs', 404],
    ] as const) {
      const page = await fetch(`${url}/acteurs/${slug}`)
      expect(page.status).toBe(status === 303 ? 200 : 404)
      expect(await page.text()).not.toContain(`/communes/${other.slug}`)
      expect((await fill(`/acteurs/${slug}/revendiquer`, claim)).status).toBe(status)
    }
  } finally {
    await restrict(null)
  }
})

test('the title of a form says what became of it, and its errors lead to the fields', async () => {
  const titleOf = (text: string) => /<title>([^<]*)<\/title>/.exec(text)?.[1]
  const open = async (path: string) => titleOf(await (await fetch(`${url}${path}`)).text())
  expect(await open('/contact')).toBe('Nous écrire · Parvis')
  expect(await open('/contact?envoye=1')).toBe('Envoyé\u00a0: Nous écrire · Parvis')
  const { status, text } = await fill('/contact', { ...message, email: 'zoe' })
  expect([status, titleOf(text)]).toEqual([422, 'Erreur\u00a0: Nous écrire · Parvis'])
  expect(text).toContain('<h1>Nous écrire</h1>')
  const [, summary = ''] = /<div class="summary"(.*?)<\/div>/s.exec(text) ?? []
  expect(summary).toContain('tabindex="-1" autofocus')
  const fields = [...summary.matchAll(/<a href="#(\w+)">/g)].map(([, name]) => name)
  expect(fields).toEqual(['email'])
  for (const name of fields) expect(text).toContain(` id="${name}"`)
})

test('a decision is contested by the link of its mail, once, without a script', async () => {
  const kit = complaintsKit(world)
  const one = await kit.written({ title: 'Loto' })
  const moderator = await world.as('moderator')
  await moderator.patch(`${one.at}/valide`, { valide: false, reason: 'Photo floue.' })
  const objection = { about: 'statement', id: await kit.statementOf(one.id), by: one.editor.id } as const
  const link = URL.parse(objectionLinks(world.config).linkOf(objection) ?? '')?.pathname ?? ''
  const page = async () => {
    const response = await fetch(`${url}${link}`)
    expect(response.headers.get('cache-control')).toContain('no-store')
    return response.text()
  }
  const shown = await page()
  for (const words of ['« Loto » n’est plus visible.', 'Photo floue.', '<textarea'])
    expect(shown).toContain(words)
  expect(shown).not.toContain('<script')
  const short = await fill(link, { text: 'Non.' })
  expect([short.status, short.text.includes('<a href="#text">')]).toEqual([422, true])
  expect((await fill(link, { text: why }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const { status, location } = await fill(link, { text: why })
  expect([status, location]).toEqual([303, `${link}?envoye=1`])
  expect(await (await fetch(`${url}${location}`)).text()).toContain('a bien été reçue')
  expect(await page()).toContain('Vous avez déjà contesté')
  expect((await fill(link, { text: why })).status).toBe(403)
  expect(await kit.complaintsOf(one.id)).toMatchObject([{ text: why, user_id: one.editor.id }])
  const forged = `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`
  expect((await fetch(`${url}${forged}`)).status).toBe(404)
})
