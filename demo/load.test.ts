// On another PostgreSQL, because the demo is loaded there too.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sanitizeBody } from '../src/modules/publications/writing/content.ts'
import { duplicateKey } from '../src/modules/publications/writing/duplicates.ts'
import { connect } from '../src/platform/database/connect.ts'
import { fillNewDatabase } from '../src/seed-data.ts'
import { openWorld } from '../test/support/world.ts'
import type { DemoActeur } from './acteurs.ts'
import { readData } from './data.ts'
import { insertDemo } from './load.ts'

const { db, database, get, as, app } = await openWorld()
const empty = await openWorld()
// Fills the database as the service does: before serving, as the owner.
const filling = connect(database.owner, app.server.log, { timeoutMs: 30_000 })
const publicUrl = 'http://localhost:3000'
const fill = (demoUrl: string | null) => fillNewDatabase(filling.db, demoUrl, () => {})
const firstFill = await fill(publicUrl)
const laterFill = await fill(publicUrl)
const fillWithout = await fill(null)
await filling.close()
const publications = await db
  .selectFrom('publications as p')
  .leftJoin('acteurs as a', 'a.id', 'p.acteur_id')
  .selectAll('p')
  .select(['a.can_publish', 'a.active', 'a.deleted_at as acteur_deleted_at', 'a.valide as acteur_valide'])
  .execute()
type Row = (typeof publications)[number]
const now = new Date()
const demoActeurs = await readData<DemoActeur[]>('content/acteurs.json')

test('tells the start that fills the database from later ones, and from those without demo content', () => {
  expect(firstFill).toEqual({ demoFilled: true, hasDemo: true })
  expect(laterFill).toEqual({ demoFilled: false, hasDemo: true })
  expect(fillWithout).toEqual({ demoFilled: false, hasDemo: false })
})

test('a database with an acteur or an account gets no demo content', async () => {
  const inUse = await openWorld()
  await inUse.user()
  const owner = connect(inUse.database.owner, inUse.app.server.log, { timeoutMs: 30_000 })
  const lines: string[] = []
  const filled = await fillNewDatabase(owner.db, publicUrl, (line) => lines.push(line))
  await owner.close()
  expect(filled).toEqual({ demoFilled: false, hasDemo: false })
  expect(lines).not.toContain('Demo content is in place.')
  expect(await inUse.db.selectFrom('acteurs').select('id').execute()).toEqual([])
})

test('has intercommunalities with communes of the demo', async () => {
  const { groups, members } = await db
    .selectFrom('groups as g')
    .innerJoin('group_communes as m', 'm.group_id', 'g.id')
    .innerJoin('communes as c', 'c.id', 'm.commune_id')
    .where('c.mairie_actor_id', 'is not', null)
    .select(({ fn }) => [
      fn.count<number>('g.id').distinct().as('groups'),
      fn.count<number>('c.id').as('members'),
    ])
    .executeTakeFirstOrThrow()
  expect(groups).toBeGreaterThan(10)
  expect(members).toBeGreaterThan(groups)
})

test('an intercommunality publishes for all of its communes and for some, and has a team', async () => {
  const { id, acteur } = (await get('/groups/ca-du-grand-chambery')).body.data
  expect(acteur).toMatchObject({ slug: 'grand-chambery' })
  const titles = async (query: string): Promise<string[]> =>
    (await get(`/publications?${query}`)).body.data.map(({ title }: { title: string }) => title)
  const all = await titles(`group_id=${id}`)
  expect(all).toHaveLength(3)
  const shownIn = async (slug: string) => {
    const { data } = (await get(`/communes/${slug}`)).body
    return (await titles(`commune_id=${data.id}&acteur_id=${acteur.id}`)).toSorted()
  }
  expect(await shownIn('chambery')).toEqual(all.toSorted())
  expect(await shownIn('cognin')).toEqual(all.filter((title) => !title.startsWith('Réseau d’eau')).toSorted())
  const team = await db.selectFrom('actor_users').select('role').where('acteur_id', '=', acteur.id).execute()
  expect(team).toEqual([{ role: 'owner' }])
})

test('those who sign the acts are élus of the commune, with the quality that its list gives', async () => {
  const { rows } = await sql<{ author: string; fonction: string | null; quality: string }>`
    select ac.author_first_name || ' ' || ac.author_name as author, e.fonction, ac.author_quality as quality
    from acts ac join communes c on c.id = any(ac.commune_ids)
    left join elus e on e.commune_id = c.id
      and search_key(e.prenom || ' ' || e.nom) = search_key(ac.author_first_name || ' ' || ac.author_name)`.execute(
    db,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { author, fonction, quality } of rows)
    expect([author, fonction?.split(',')[0]]).toEqual([author, quality])
})

test('has acteurs of every type and state beside the mairies', async () => {
  const acteurs = await db.selectFrom('acteurs').selectAll().where('type', '<>', 'mairie').execute()
  expect(acteurs.length).toBe(demoActeurs.filter(({ type }) => type !== 'mairie').length)
  const types = new Set(demoActeurs.map(({ type }) => type))
  expect([...types].sort()).toEqual([
    ...['association', 'autre', 'commerce', 'ecole', 'intercommunalite', 'mairie', 'service'],
  ])
  for (const state of [
    { valide: false },
    { active: false },
    { can_publish: true },
    { can_publish: false, valide: true },
  ]) {
    expect(
      acteurs.some((acteur) => isLike(acteur, state)),
      JSON.stringify(state),
    ).toBe(true)
  }
  expect(acteurs.some(({ deleted_at }) => deleted_at !== null)).toBe(true)
  expect(acteurs.some(({ badge }) => badge !== null)).toBe(true)
  expect(new Set(demoActeurs.map(({ slug }) => slug)).size).toBe(demoActeurs.length)
})

test('contacts use ranges and names reserved for fiction', async () => {
  const acteurs = await db.selectFrom('acteurs').select(['telephone', 'email', 'site_web']).execute()
  for (const { telephone, email, site_web } of acteurs) {
    if (telephone?.trim()) expect(telephone).toMatch(fiction)
    if (email?.trim()) expect(email).toMatch(/^[\w.-]+@[\w.-]+\.example$/)
    if (site_web?.trim()) expect(site_web).toMatch(/^https:\/\/[\w.-]+\.example$/)
  }
  for (const { body, source_url } of publications) {
    for (const number of body.match(/\b0\d( \d\d){4}\b/g) ?? []) expect(number).toMatch(fiction)
    if (source_url !== null) expect(source_url).toMatch(/^https?:\/\/[\w.-]+\.example[:/]/)
  }
})

const fiction = /^(01 99 00|02 61 91|03 53 01|04 65 71|05 36 49|06 39 98)( \d\d){2}$/

test('has a few hundred publications in every state', () => {
  expect(publications.length).toBeGreaterThan(300)
  const states: Record<string, (row: Row) => boolean> = {
    published: (row) => row.moderation_status === 'published' && row.valide,
    pending: (row) => row.moderation_status === 'pending',
    'approved, visible': (row) => row.moderation_status === 'approved' && isPast(row.publie_le),
    scheduled: (row) => row.moderation_status === 'approved' && isComing(row.publie_le),
    'approved without a time': (row) => row.moderation_status === 'approved' && row.publie_le === null,
    'rejected, with its reason': (row) =>
      row.moderation_status === 'rejected' && row.moderation_reason !== null,
    'made invalid by hand': (row) => row.moderation_status === 'published' && !row.valide,
    'decided centrally': (row) => row.decided_centrally,
    'not decided centrally, rejected': (row) =>
      row.moderation_status === 'rejected' && !row.decided_centrally,
    'featured without end': (row) => row.en_avant && row.featured_until === null,
    'featured until a day to come': (row) => row.en_avant && isComing(row.featured_until),
    'featured until a day that has passed': (row) => row.en_avant && isPast(row.featured_until),
    pinned: (row) => row.epingle && row.deleted_at === null,
    deleted: (row) => row.deleted_at !== null,
    'deleted while featured': (row) => row.deleted_at !== null && row.en_avant,
    'without an acteur': (row) => row.acteur_id === null,
    'of an inactive acteur': (row) => row.active === false,
    'of a deleted acteur': (row) => row.acteur_deleted_at !== null,
    HTML: (row) => row.body.includes('<ul><li>'),
    plain: (row) => !row.body.includes('<'),
    'with an image': (row) => row.images !== null,
    'to come': (row) => row.date_debut !== null && new Date(row.date_debut) > now,
    past: (row) => row.date_debut !== null && new Date(row.date_debut) < now,
    'several days long': (row) => row.date_fin !== null,
  }
  for (const [name, is] of Object.entries(states)) expect(publications.some(is), name).toBe(true)
  expect(new Set(publications.map(({ type_id }) => type_id)).size).toBe(7)
})

test('the service itself could have written every row', () => {
  for (const row of publications) {
    const { title, body } = row
    expect(`${title} ${body}`, title).not.toMatch(/[{}*]|undefined|null|\bles? les?\b|\bdes? des?\b/)
    expect(sanitizeBody(body), title).toBe(body)
    expect(duplicateKey(row), title).toBe(row.duplicate_key)
    expect(row.created_at <= now, title).toBe(true)
    expect(row.publie_le === null || row.publie_le >= row.created_at, title).toBe(true)
    expect(row.acteur_valide, title).not.toBe(false)
    if (row.moderation_status === 'pending') expect(row.can_publish ?? false, title).toBe(false)
  }
})

test('a day mentioned in a text is its first or last day, with the right weekday', () => {
  const announced = publications.filter(({ body }) =>
    /\b(lun|mar|mercre|jeu|vendre|same)di \d|dimanche \d/.test(body),
  )
  expect(announced.length).toBeGreaterThan(100)
  const calendar = new Intl.DateTimeFormat('fr', { weekday: 'long', day: 'numeric', timeZone: 'UTC' })
  for (const { body, date_debut, date_fin } of announced) {
    const days = [date_debut, date_fin].flatMap((day) => (day === null ? [] : calendar.format(new Date(day))))
    expect(days.some((day) => body.includes(day.replace(/ 1$/, ' 1er')))).toBe(true)
  }
})

test('has duplicates of both kinds, open and closed reports, publications in several communes', async () => {
  const groups = await db.selectFrom('duplicate_groups').selectAll().where('members', '>', 1).execute()
  for (const kind of ['u:', 's:']) {
    const ofKind = groups.filter(({ duplicate_key }) => duplicate_key.startsWith(kind))
    expect(ofKind.length, kind).toBe(2)
  }
  const spellings = publications.filter(({ duplicate_key }) =>
    groups.some((group) => group.duplicate_key === duplicate_key && duplicate_key.startsWith('u:')),
  )
  expect(new Set(spellings.map(({ source_url }) => source_url)).size).toBe(spellings.length)
  const reports = await db.selectFrom('publication_reports').selectAll().execute()
  expect(reports.some(({ closed_at }) => closed_at === null)).toBe(true)
  expect(reports.some(({ closed_at }) => closed_at !== null)).toBe(true)
  const { rows } = await sql<{ members: number }>`
    select count(*) as members from publication_communes group by publication_id order by 1`.execute(db)
  expect(rows.length).toBe(publications.filter(({ commune_id }) => commune_id !== null).length)
  expect(rows.at(-1)?.members).toBe(3)
})

test('has an alerte in force and a template of rejections, which name themselves as examples', async () => {
  const admin = await as('admin')
  const { data: alertes } = (await admin.get('/admin/alertes?en_cours=true')).body
  expect(alertes).toMatchObject([
    { titre: expect.stringMatching(/^Exemple : /), commune: { nom: 'Chambéry' }, en_cours: true },
  ])
  const shown = (await get(`/communes/${alertes[0].commune.id}/alertes`)).body.data
  expect(shown).toMatchObject([{ titre: alertes[0].titre }])
  const { data: templates } = (await admin.get('/admin/templates?kind=rejection')).body
  expect(templates).toMatchObject([{ name: expect.stringMatching(/^Exemple : /) }])
  const [pending] = publications.filter(({ moderation_status }) => moderation_status === 'pending')
  const preview = await admin.post(`/admin/templates/${templates[0].id}/preview`, { id: pending?.id })
  expect(preview.body.data.body).toContain(pending?.title)
  expect(preview.body.data.body).not.toContain('{{')
})

test('writes no audit entries', async () => {
  expect(await db.selectFrom('audit_log').select('id').execute()).toEqual([])
})

test('is visible in the back-office and the public application', async () => {
  const admin = await as('moderator')
  const all = await admin.get('/admin/publications?deleted=true&per_page=100')
  expect(all.body.meta.total).toBe(publications.length)
  const shown = await get('/publications?per_page=100')
  expect(shown.body.data[0].en_avant).toBe(true)
  expect(shown.body.meta.total).toBeGreaterThan(250)
  expect(shown.body.meta.total).toBeLessThan(publications.length)
})

test('skips content of communes that the register lacks', async () => {
  await insertDemo(empty.db, publicUrl)
  for (const table of ['acteurs', 'elus', 'collectes', 'commune_infos', 'claims', 'publications'] as const) {
    expect(await empty.db.selectFrom(table).select('id').execute(), table).toEqual([])
  }
})

function isLike(row: object, state: object): boolean {
  return Object.entries(state).every(([name, value]) => (row as Record<string, unknown>)[name] === value)
}
const isPast = (date: Date | null) => date !== null && date <= now
const isComing = (date: Date | null) => date !== null && date > now
