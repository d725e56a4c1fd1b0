import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { statementsAbout } from '../../test/support/statements.ts'
import { openWorld } from '../../test/support/world.ts'
import { insertAct, insertPublished } from '../modules/acts/acts.test-kit.ts'
import { archiveAct, occultAct } from '../modules/acts/publishing.ts'
import { recordReply } from '../modules/acts/timestamps/queries.ts'
import { operator } from '../platform/access/caller.ts'

const world = await openWorld()
const { url, db } = world
const hall = await world.acteur({ type: 'mairie', nom: 'Mairie de Chambéry', valide: true })
const commune = await world.commune({ nom: 'Chambéry', slug: 'chambery', mairie_actor_id: hall.id })
const other = await world.acteur({ type: 'mairie', nom: 'Mairie d’Ailleurs', valide: true })
await world.commune({ nom: 'Ailleurs', slug: 'ailleurs', mairie_actor_id: other.id })
await world.commune({ nom: 'Vide', slug: 'vide' })
world.setClock('2026-11-27T16:03:00.000Z')

type Values = Omit<Parameters<typeof insertPublished>[1], 'acteur_id'>
const publish = (values: Values, at = '2026-11-27T16:03:00.000Z', acteur_id = hall.id) =>
  insertPublished(db, { acteur_id, ...values }, new Date(at))
const old = await publish(
  { title: 'Règlement du marché', number: '2025-9', kind: 'arrete', date: '2025-11-03' },
  '2025-12-01T09:00:00Z',
)
const archived = await publish(
  { title: 'Vieux budget', kind: 'budget', date: '2025-11-03' },
  '2025-12-02T09:00:00Z',
)
await archiveAct(db, operator, { acteurId: hall.id, id: archived.id }, new Date('2026-11-20T09:00:00Z'))
const first = await publish({
  ...{ title: 'Tarifs de la cantine & <garderie>', number: '2026-42', subject: '7.10' },
  text: 'Le quotient familial',
})
const second = await publish({ title: 'Tarifs corrigés', number: '2026-43', supersedes: first.id })
const individual = await publish({ title: 'Nomination de Zoé Martin', kind: 'arrete', individual: true })
const removed = await publish({ title: 'Acte retiré', kind: 'decision' })
const asked = { reason: 'Décision de la CNIL', now: new Date('2026-11-27T17:00:00Z') }
await occultAct(db, operator, { acteurId: hall.id, id: removed.id }, asked)
const minutes = await publish({ title: 'Séance du 3 mars', kind: 'proces_verbal', date: '2025-03-03' })
const elsewhere = await publish({ title: 'Ailleurs seulement' }, undefined, other.id)
const draft = await insertAct(db, { acteur_id: hall.id, title: 'Brouillon secret' })

const open = (path: string, init: RequestInit = {}) =>
  fetch(`${url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual', ...init })
const read = async (path: string) => {
  const response = await open(path)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}
const titlesOf = (text: string) =>
  [...text.matchAll(/<h2 class="row-title"><a href="\/actes\/([^"]*)">([^<]*)/g)].map(([, , title]) => title)
const page = async ({ id }: { id: string }) => {
  const { headers } = await open(`/actes/${id}`)
  return read(headers.get('location') ?? '')
}
const list = '/communes/chambery/actes'

test('the filters of acts are folded until one is set, so that the first act stands on the first screen', async () => {
  const filters = async (query: string) =>
    /<details class="filters"( open)?><summary>[^<]+<\/summary>\s*<form/.exec(await read(`${list}${query}`))
  for (const query of ['', '?q=&type=&annee=', '?page=2'])
    expect((await filters(query))?.[1], query).toBeUndefined()
  for (const query of ['', '?q=x', '?type=arrete', '?annee=2026'])
    expect(await filters(query), query).not.toBeNull()
  for (const query of ['?q=x', '?type=arrete', '?annee=2026'])
    expect((await filters(query))?.[1], query).toBe(' open')
})

test('the acts of a commune stand newest first; drafts, archived acts and those of others do not', async () => {
  const text = await read(list)
  expect(titlesOf(text)).toEqual([
    ...['Séance du 3 mars', 'Acte retiré', 'Nomination de Zoé Martin', 'Tarifs corrigés'],
    ...['Tarifs de la cantine &amp; &lt;garderie&gt;', 'Règlement du marché'],
  ])
  expect(text).toContain('N°\u00a02026-42 du 3 mars 2026 · en ligne depuis le 27 novembre 2026 à 17:03')
  expect(text).toContain('<p class="state">Remplacé par un autre acte</p>')
  expect(text).toContain('<option value="2025">2025</option>')
  expect(text).toContain(
    `<link rel="alternate" type="application/atom+xml" title="Décisions de Chambéry (Atom)" href="${list}.atom">`,
  )
})

test.each([
  ['?type=arrete', ['Nomination de Zoé Martin', 'Règlement du marché']],
  ['?annee=2025', ['Séance du 3 mars', 'Règlement du marché']],
  ['?q=quotient', ['Tarifs de la cantine &amp; &lt;garderie&gt;']],
  ['?q=2026-43&type=deliberation&annee=2026', ['Tarifs corrigés']],
  ['?q=&type=&annee=', 6],
  ['?q=%21', []],
])('filters acts by kind, year and words: %s', async (query, expected) => {
  const titles = titlesOf(await read(`${list}${query}`))
  if (typeof expected === 'number') expect(titles).toHaveLength(expected)
  else expect(titles).toEqual(expected)
})

test('says when there is nothing, and refuses what it does not understand', async () => {
  expect(await read(`${list}?q=introuvable`)).toContain('Aucun acte ne correspond.')
  expect(await read(`${list}?page=9`)).toContain('Cette page est au-delà de la dernière.')
  const empty = await read('/communes/vide/actes')
  expect(empty).toContain('Vide n’a encore mis aucun acte en ligne ici.')
  expect(empty).toContain('<meta name="robots" content="noindex">')
  for (const query of ['?type=loi', '?annee=0000', '?page=0'])
    expect((await open(`${list}${query}`)).status, query).toBe(422)
})

test('the menu of a commune names acts only where there are any, by one statement', async () => {
  expect(await read('/communes/chambery')).toContain(`<a href="${list}">Décisions</a>`)
  expect(await read('/communes/chambery/suivre')).toContain(`href="${list}.rss"`)
  expect(await read('/communes/vide')).not.toContain('/actes"')
  expect(await read('/communes/vide/suivre')).not.toContain('/actes.rss')
  expect(await statementsAbout(/acts ac/, () => read('/communes/vide/elus'))).toHaveLength(1)
})

test('a page shows who published an act, when, and until when it can be contested', async () => {
  const text = await page(first)
  expect(text).toContain('<h1>Tarifs de la cantine &amp; &lt;garderie&gt;</h1>')
  for (const words of [
    ...['<dd>2026-42</dd>', '3 mars 2026</time>', '27 novembre 2026 à 17:03</time>', 'Camille Roux, Maire'],
    ...['Mairie de Chambéry', `href="/actes/${first.id}/acte.pdf"`, `href="/actes/${first.id}/preuve.zip"`],
    ...[first.sha256, 'Il court au moins jusqu’au 27 janvier 2027.', '1 page</span>'],
    ...['Il a été remplacé par :', `/actes/${second.id}-tarifs-corriges">Tarifs corrigés</a>`],
  ])
    expect(text).toContain(words)
  expect(await page(second)).toContain(`/actes/${first.id}-tarifs-de-la-cantine-garderie">`)
  expect(await page(minutes)).not.toContain('Contester')
  expect(await page(individual)).toContain('à partir du jour où elle l’a reçu')
})

test('a page names the authority that saw the seal, as soon as it did', async () => {
  expect(await page(second)).not.toContain('horodatage')
  await sql`
    insert into act_timestamps (number, next_at) select number, now() from act_seals where act_id = ${second.id}`.execute(
    db,
  )
  const { rows } = await sql<{ number: number; seal: Buffer }>`
    select number::float8 as number, seal from act_seals where act_id = ${second.id}`.execute(db)
  const reply = {
    reply: rows[0]?.seal ?? Buffer.alloc(0),
    at: new Date('2026-11-27T16:05:00Z'),
    authority: 'Temps & sceaux',
    pem: 'x',
  }
  await recordReply(db, rows[0]?.number ?? 0, reply)
  await expect
    .poll(() => page(second))
    .toContain('« Temps &amp; sceaux », a signé qu’elle a vu ce sceau le 27 novembre 2026 à 17:05.')
})

test('another slug, none, and capital letters lead to the address of the act', async () => {
  const path = `/actes/${second.id}-tarifs-corriges`
  for (const one of [
    `/actes/${second.id}`,
    `/actes/${second.id}-autre`,
    path.replace(second.id, second.id.toUpperCase()),
  ]) {
    const { status, headers } = await open(`${one}?x=1`)
    expect([status, headers.get('location')]).toEqual([301, `${path}?x=1`])
  }
  expect((await open(path, { method: 'HEAD' })).status).toBe(200)
  const etag = (await open(path)).headers.get('etag') ?? ''
  expect((await open(path, { headers: { accept: 'text/html', 'if-none-match': etag } })).status).toBe(304)
  for (const wrong of [
    '/actes/x',
    `/actes/${second.id}x`,
    `/actes/${draft.id}`,
    `/actes/${draft.id}/acte.pdf`,
  ])
    expect((await open(wrong)).status, wrong).toBe(404)
})

test('the file comes byte for byte, and is gone once it had to go', async () => {
  const response = await open(`/actes/${first.id}/acte.pdf`)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(first.sha256)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  expect(response.headers.get('x-robots-tag')).toBeNull()
  expect((await open(`/actes/${individual.id}/acte.pdf`)).headers.get('x-robots-tag')).toBe('noindex')
  expect((await open(`/actes/${removed.id}/acte.pdf`)).status).toBe(404)
  const text = await page(removed)
  // The database sets the moment.
  expect(text).toMatch(/retiré le \d{1,2}(er)? \S+ 20\d\d, pour cette raison : <q>Décision de la CNIL<\/q>/)
  expect(text).not.toContain('acte.pdf')
  expect(text).toContain(removed.sha256)
})

test('search engines get neither acts about a person, nor archived, nor removed ones', async () => {
  const noindex = '<meta name="robots" content="noindex">'
  for (const act of [individual, archived, removed]) {
    const text = await page(act)
    expect(text).toContain(noindex)
    expect(text).not.toContain('"Legislation"')
  }
  expect(await read(list)).toContain(noindex)
  expect(await read(`${list}?type=deliberation`)).toContain('<link rel="canonical"')
  const text = await page(second)
  expect(text).not.toContain(noindex)
  const [data] = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
    ([, json = '']) => JSON.parse(json),
  )
  expect(data).toMatchObject({
    ...{ '@type': 'Legislation', name: 'Tarifs corrigés', legislationIdentifier: '2026-43' },
    ...{ legislationDate: '2026-03-03', datePublished: '2026-11-27T16:03:00.000Z' },
    encoding: { contentUrl: `http://localhost:3000/actes/${second.id}/acte.pdf`, sha256: second.sha256 },
  })
})

test('sitemap and feeds name open acts alone', async () => {
  const sitemap = await read('/sitemap/actes.xml')
  for (const act of [old, first, second, minutes, elsewhere]) expect(sitemap).toContain(act.id)
  for (const act of [individual, archived, removed, draft]) expect(sitemap).not.toContain(act.id)
  expect(sitemap).toContain(`<loc>http://localhost:3000/actes/${second.id}-tarifs-corriges</loc>`)
  const feed = JSON.parse(await read(`${list}.json`))
  expect(feed.items.map(({ title }: { title: string }) => title)).toEqual([
    ...['Séance du 3 mars', 'Tarifs corrigés', 'Tarifs de la cantine & <garderie>', 'Règlement du marché'],
  ])
  expect(feed.items[2]).toMatchObject({
    id: `urn:uuid:${first.id}`,
    date_published: '2026-11-27T16:03:00.000Z',
  })
  expect(feed.items[2].summary).toMatch(/^Remplacé par un autre acte\. Délibération n°\u00a02026-42/)
})

test('many acts have pages of twenty, by the same statements', async () => {
  const third = await world.acteur({ type: 'mairie', valide: true })
  await world.commune({ slug: 'grande', mairie_actor_id: third.id })
  const about = (path: string) => statementsAbout(/acts/, () => read(path))
  await publish({ title: 'Acte 0' }, undefined, third.id)
  const few = await about('/communes/grande/actes')
  for (let n = 1; n <= 25; n++) await publish({ title: `Acte ${n}` }, undefined, third.id)
  expect(await about('/communes/grande/actes')).toHaveLength(few.length)
  const text = await read('/communes/grande/actes')
  expect(titlesOf(text)).toHaveLength(20)
  expect(text).toContain('<a href="/communes/grande/actes?page=2" rel="next">')
  expect(titlesOf(await read('/communes/grande/actes?page=2'))).toHaveLength(6)
  expect(text.length).toBeLessThan(40_000)
})

test('a site restricted to communes shows their acts alone', async () => {
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict([commune.id])
  try {
    expect((await open(`/actes/${elsewhere.id}`)).status).toBe(404)
    expect((await open(`/actes/${elsewhere.id}/acte.pdf`)).status).toBe(404)
    expect((await open('/communes/ailleurs/actes')).status).toBe(404)
    expect(await page(second)).toContain('Tarifs corrigés')
  } finally {
    await restrict(null)
  }
})

test('the page of an act keeps the secteur that was chosen in its commune', async () => {
  const path = `/actes/${second.id}-tarifs-corriges`
  const query = '?secteur=Nord&commune=chambery'
  expect(await read(`${list}?secteur=Nord`)).toContain(`href="${path}${query.replace('&', '&amp;')}"`)
  const opened = await read(`${path}${query}`)
  expect(opened).toContain('href="/communes/chambery/alertes?secteur=Nord"')
  expect(opened).toContain('href="/communes/chambery/actes?secteur=Nord"')
  expect(opened).toContain(
    `/actes/${first.id}-tarifs-de-la-cantine-garderie?secteur=Nord&amp;commune=chambery"`,
  )
  const ofOther = await read(`${path}?secteur=Nord&commune=ailleurs`)
  expect(ofOther).toContain('href="/communes/chambery/alertes"')
})
