import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { operator } from '../../../platform/access/caller.ts'
import { createLog } from '../../../platform/log/log.ts'
import { allowPrivate, importsKit, rss } from '../imports.test-kit.ts'
import { type ReadInput, readItems } from '../readers/read.ts'
import { ReadFailed } from '../readers/read-failed.ts'
import { readInWorker } from '../readers/read-in-worker.ts'
import { deleteOldRuns } from '../retention.ts'
import { doRun, type Reading, tryImport } from './rules.ts'

const world = await openWorld({ env: allowPrivate })
const { acteur, commune, db, get } = world
const kit = await importsKit(world)
const { admin, at, source, say, run, dryRun, log, publications } = kit
const { signal } = new AbortController()
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

const town = await commune()
const library = await acteur({ commune_id: town.id, valide: true })
const published = { acteur_id: library.id, moderation_status: 'published' }
// Texts differ between tests, so that they are no duplicates.
let number = 0
beforeEach(() => {
  number += 1
})
const item = (guid: string, more: object = {}) => ({
  guid,
  title: `Titre ${guid}`,
  description: `Texte ${guid} du test ${number}`,
  ...more,
})
const tooLong = () => item('long', { description: 'x'.repeat(20_001) })

test('POST /admin/import-sources/{id}/run returns 202 with the run, which happens in the background', async () => {
  const other = await openWorld({ env: allowPrivate })
  const { admin, at, source } = await importsKit(other)
  const made = await source(rss(item('1')))
  const asked = await admin.post(`${at(made.id)}/run`)
  expect(asked.status).toBe(202)
  expect(asked.body.data).toMatchObject({ source_id: made.id, status: 'queued', dry_run: false, fetched: 0 })
  expect(await admin.post(`${at(made.id)}/run`)).toBeError(409, 'import_in_progress')
  expect(await admin.post(`${at(made.id)}/run?dry_run=true`)).toBeError(409, 'import_in_progress')
  await other.runJobs()
  await expect
    .poll(async () => (await admin.get(at(made.id))).body.data.last_run, { timeout: 50_000 })
    .toMatchObject({ id: asked.body.data.id, status: 'succeeded', fetched: 1, created: 1 })
})

test('POST /admin/import-sources/{id}/run returns 404 for no source and 409 for an inactive one, which allows dry runs', async () => {
  expect(await admin.post(`${at(unknown)}/run`)).toBeError(404, 'not_found')
  const made = await source(rss(item('1')), { actif: false })
  expect(await admin.post(`${at(made.id)}/run`)).toBeError(409, 'conflict')
  expect(await admin.post(`${at(made.id)}/run?dry_run=maybe`)).toBeError(422, 'validation_failed')
  expect(await dryRun(made)).toMatchObject({ status: 'succeeded', created: 1 })
})

test("publishes an acteur's new items directly", async () => {
  const made = await source(rss(item('1', { link: 'https://m.example/1' })), published)
  expect(await run(made)).toMatchObject({ status: 'succeeded', fetched: 1, created: 1, error: null })
  const [one] = await publications(made)
  expect(one).toMatchObject({
    title: 'Titre 1',
    body: `Texte 1 du test ${number}`,
    source_url: 'https://m.example/1',
    acteur_id: library.id,
    commune_id: town.id,
    moderation_status: 'published',
    valide: true,
    publie_le: expect.any(Date),
  })
  const shown = await get(`/publications/${one?.id}`)
  expect(shown.body.data).toMatchObject({ title: 'Titre 1', commune_ids: [town.id] })
  const auditEntries = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('entity_id', '=', one?.id ?? '')
    .execute()
  expect(auditEntries).toMatchObject([
    { action: 'publication.import', user_id: null, after: { import_source_id: made.id } },
  ])
})

test.each([
  ['no acteur', async () => ({ acteur_id: null })],
  ['an inactive acteur', async () => ({ acteur_id: await gone({ active: false }) })],
  ['a deleted acteur', async () => ({ acteur_id: await gone({ deleted_at: new Date() }) })],
  ['the source says so', async () => ({ moderation_status: 'pending' })],
])('new items wait for a decision: %s', async (_why, values) => {
  const made = await source(rss(item('1')), published)
  const { acteur_id, ...others } = (await values()) as { acteur_id?: string | null }
  await admin.patch(at(made.id), others)
  if (acteur_id !== undefined)
    await db.updateTable('import_sources').set({ acteur_id }).where('id', '=', made.id).execute()
  expect(await run(made)).toMatchObject({ created: 1 })
  expect(await publications(made)).toMatchObject([
    { moderation_status: 'pending', valide: false, publie_le: null },
  ])
})

async function gone(state: object) {
  const { id } = await acteur({ commune_id: town.id, valide: true, ...state })
  return id
}

test('publishes for the target what is imported after the acteur of the source was merged', async () => {
  const [old, target] = [await gone({}), await gone({})]
  const made = await source(rss(item('1'), item('2')), { ...published, acteur_id: old })
  const read: Reading['read'] = async function* (input) {
    for await (const [first, second] of readItems(input)) {
      if (first) yield [first]
      expect((await admin.post(`/admin/acteurs/${old}/merge`, { into: target })).status).toBe(202)
      if (second) yield [second]
    }
  }
  const asked = await admin.post(`${at(made.id)}/run`)
  await doRun(world, asked.body.data.id, { ...kit.reading, read })
  expect(await publications(made)).toMatchObject([
    { acteur_id: old, moderation_status: 'published' },
    { acteur_id: target, moderation_status: 'published', commune_id: town.id, valide: true },
  ])
})

test('a second run on the same feed changes nothing; a third applies changes of the source', async () => {
  const made = await source(rss(item('1'), item('2')), published)
  await run(made)
  const before = await publications(made)
  expect(await run(made)).toMatchObject({ fetched: 2, created: 0, updated: 0, unchanged: 2 })
  expect(await publications(made)).toEqual(before)
  say(made, rss(item('1', { title: 'Reporté' }), item('3')))
  expect(await run(made)).toMatchObject({ fetched: 2, updated: 1, created: 1 })
  // An item that left the feed stays.
  expect((await publications(made)).map(({ title }) => title)).toEqual(['Reporté', 'Titre 2', 'Titre 3'])
})

const evening = (lines: string[] = []) =>
  [
    ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:soir', 'SUMMARY:Concert', `DESCRIPTION:Test ${number}`],
    ...(lines.length > 0 ? lines : ['DTSTART:20261201T193000Z', 'DTEND:20261201T213000Z']),
    ...['END:VEVENT', 'END:VCALENDAR'],
  ].join('\n')

test('the hours of an event are stored in fields and in the first line of its text', async () => {
  const made = await source(evening(), { ...published, type: 'ics' })
  expect(await dryRun(made)).toMatchObject({ created: 1 })
  expect(await run(made)).toMatchObject({ created: 1 })
  const [one] = await publications(made)
  const shown = (await get(`/publications/${one?.id}`)).body.data
  expect(shown).toMatchObject({
    date_debut: '2026-12-01',
    heure_debut: '20:30',
    heure_fin: '22:30',
    body: `<p>Le mardi 1er décembre, de 20 h 30 à 22 h 30</p>Test ${number}`,
  })
  expect(await run(made)).toMatchObject({ updated: 0, unchanged: 1 })

  // The start hour was edited here and stays; the end hour follows the source.
  await admin.patch(`/publications/${one?.id}`, { heure_debut: '20:00' })
  say(made, evening(['DTSTART:20261201T200000Z', 'DTEND:20261201T220000Z']))
  expect(await dryRun(made)).toMatchObject({ updated: 1 })
  expect(await run(made)).toMatchObject({ updated: 1 })
  expect((await get(`/publications/${one?.id}`)).body.data).toMatchObject({
    heure_debut: '20:00',
    heure_fin: '23:00',
  })
  expect((await log(made)).at(-1)?.message).toBe('updated: kept as edited here: heure_debut')
})

test('the place of an event follows its source until it is edited here', async () => {
  const at = (...lines: string[]) => evening(['DTSTART:20261201T193000Z', ...lines])
  const made = await source(at('LOCATION:Salle A', 'GEO:46.2;5.2'), { ...published, type: 'ics' })
  await run(made)
  const [{ id = '' } = {}] = await publications(made)
  const lieuOf = async () => (await get(`/publications/${id}`)).body.data.lieu
  expect(await lieuOf()).toEqual({ nom: 'Salle A', adresse: null, latitude: 46.2, longitude: 5.2 })
  expect(await run(made)).toMatchObject({ updated: 0, unchanged: 1 })
  say(made, at('LOCATION:Salle B'))
  expect(await dryRun(made)).toMatchObject({ updated: 1 })
  expect(await run(made)).toMatchObject({ updated: 1 })
  const here = { nom: 'Salle B', adresse: null, latitude: null, longitude: null }
  expect(await lieuOf()).toEqual(here)
  await admin.patch(`/publications/${id}`, { lieu: { nom: 'Salle C' } })
  say(made, at('LOCATION:Salle D'))
  expect(await run(made)).toMatchObject({ updated: 0, unchanged: 1 })
  expect(await lieuOf()).toEqual({ ...here, nom: 'Salle C' })
  expect((await log(made)).at(-1)?.message).toContain('kept as edited here: lieu')
})

test('items imported before places were stored get theirs, and lose the line in their text', async () => {
  const made = await source(evening(['DTSTART:20261201T193000Z', 'LOCATION:Salle A']), {
    ...published,
    type: 'ics',
  })
  await run(made)
  const [{ id = '', body = '' } = {}] = await publications(made)
  // As an earlier version without places stored it.
  const former = `${body}<p>Lieu : Salle A</p>`
  const digest = hash('sha256', JSON.stringify(former), 'base64url').slice(0, 16)
  await db.updateTable('publications').set({ body: former, lieu: null }).where('id', '=', id).execute()
  await sql`
    update import_items set said = said - 'lieu' || jsonb_build_object('body', ${digest}::text)
    where publication_id = ${id}`.execute(db)
  expect(await run(made)).toMatchObject({ updated: 1 })
  expect((await get(`/publications/${id}`)).body.data).toMatchObject({ body, lieu: { nom: 'Salle A' } })
  expect(await run(made)).toMatchObject({ updated: 0, unchanged: 1 })
})

test('an event that people repeat stays a series, whose dates follow the first day of the source', async () => {
  const on = (...lines: string[]) => evening(lines)
  const made = await source(on('DTSTART:20261201T193000Z'), { ...published, type: 'ics' })
  await run(made)
  const [{ id = '' } = {}] = await publications(made)
  const recurrence = { regle: 'FREQ=WEEKLY;COUNT=3', exceptions: [], ajouts: [], occurrences: [] }
  await admin.patch(`/publications/${id}`, { recurrence })
  const read = async () => (await get(`/publications/${id}`)).body.data
  say(made, on('DTSTART:20261201T193000Z', 'LOCATION:Salle B'))
  expect(await run(made)).toMatchObject({ updated: 1 })
  expect(await read()).toMatchObject({ recurrence, derniere_date: '2026-12-15', lieu: { nom: 'Salle B' } })
  say(made, on('DTSTART:20261202T193000Z', 'LOCATION:Salle B'))
  expect(await run(made)).toMatchObject({ updated: 1 })
  expect(await read()).toMatchObject({ recurrence, date_debut: '2026-12-02', derniere_date: '2026-12-16' })
})

test('items imported before hours were stored get their hours, except items edited here', async () => {
  const made = await source(evening(), { ...published, type: 'ics' })
  await run(made)
  const [{ id = '', duplicate_key } = {}] = await publications(made)
  // As an earlier version without hours stored it.
  const digest = hash('sha256', JSON.stringify(`Test ${number}`), 'base64url').slice(0, 16)
  await db
    .updateTable('publications')
    .set({ body: `Test ${number}`, heure_debut: null, heure_fin: null })
    .where('id', '=', id)
    .execute()
  await sql`
    update import_items set said = said - 'heure_debut' - 'heure_fin' || jsonb_build_object('body', ${digest}::text)
    where publication_id = ${id}`.execute(db)
  await admin.patch(`/publications/${id}`, { body: 'Notre texte' })
  expect(await run(made)).toMatchObject({ updated: 1 })
  expect(await publications(made)).toMatchObject([
    { body: 'Notre texte', heure_debut: '20:30', heure_fin: '22:30' },
  ])
  expect(await run(made)).toMatchObject({ updated: 0, unchanged: 1 })
  await admin.patch(`/publications/${id}`, { body: `Test ${number}` })
  expect((await publications(made))[0]?.duplicate_key).toBe(duplicate_key)
})

/** A calendar with one event. */
const choir =
  (hour: number, ...lines: string[]) =>
  () =>
    [
      ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:choeur', 'SUMMARY:Chorale', `DESCRIPTION:Test ${number}`],
      ...[`DTSTART;TZID=Europe/Paris:20261201T${hour}0000`, ...lines, 'END:VEVENT', 'END:VCALENDAR'],
    ].join('\n')
const weekly = 'RRULE:FREQ=WEEKLY;COUNT=2'
const timesOf = async (made: { id: string }) =>
  (await publications(made)).map(({ date_debut, heure_debut }) => `${date_debut} ${heure_debut}`).sort()

test.each([
  ['its hour changes', choir(19, weekly), choir(20, weekly), ['2026-12-01 20:00', '2026-12-08 20:00'], 0],
  ['it begins to repeat', choir(19), choir(19, weekly), ['2026-12-01 19:00', '2026-12-08 19:00'], 1],
  ['it no longer repeats', choir(19, weekly), choir(20), ['2026-12-01 20:00', '2026-12-08 19:00'], 0],
  [
    'one of two hours of its days changes',
    choir(10, weekly, 'RDATE;TZID=Europe/Paris:20261201T190000'),
    choir(10, weekly, 'RDATE;TZID=Europe/Paris:20261201T200000'),
    ['2026-12-01 10:00', '2026-12-01 20:00', '2026-12-08 10:00'],
    0,
  ],
  [
    'one of two hours of a day is left out',
    choir(10, weekly, 'RDATE;TZID=Europe/Paris:20261201T190000'),
    choir(10, weekly, 'EXDATE;TZID=Europe/Paris:20261201T100000', 'RDATE;TZID=Europe/Paris:20261201T190000'),
    ['2026-12-01 10:00', '2026-12-01 19:00', '2026-12-08 10:00'],
    0,
  ],
])('an event keeps its publications when %s', async (_what, before, after, times, created) => {
  const made = await source(before(), { ...published, type: 'ics' })
  await run(made)
  const first = await publications(made)
  say(made, after())
  expect(await dryRun(made)).toMatchObject({ created, rejected: 0 })
  expect(await run(made)).toMatchObject({ created, rejected: 0 })
  expect(await timesOf(made)).toEqual(times)
  const ids = (await publications(made)).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(first.map(({ id }) => id)))
  expect(await run(made)).toMatchObject({ created: 0, updated: 0 })
})

test('occurrences that were imported under names with hours keep their publications', async () => {
  const made = await source(choir(19, weekly)(), { ...published, type: 'ics' })
  await run(made)
  const ids = async () => (await publications(made)).map(({ id }) => id)
  const before = await ids()
  await sql`update import_items set external_id = external_id || 'T19:00:00' where source_id = ${made.id}`.execute(
    db,
  )
  say(made, choir(20, weekly)())
  expect(await run(made)).toMatchObject({ created: 0, updated: 2 })
  expect(await ids()).toEqual(before)
  expect((await publications(made)).map(({ external_id }) => external_id)).toEqual([
    'choeur 2026-12-01',
    'choeur 2026-12-08',
  ])
})

test('the log names the unknown time zone of an event', async () => {
  const made = await source(evening(['DTSTART;TZID=Nowhere:20261201T203000']), { ...published, type: 'ics' })
  expect(await run(made)).toMatchObject({ created: 1 })
  expect((await log(made)).at(-1)?.message).toContain('its time zone is unknown')
})

test('a dry run reports what the real run then does and stores only itself', async () => {
  const twin = await source(rss(item('x', { link: 'https://twin.example/' })), published)
  await run(twin)
  const made = await source(rss(item('1'), item('2')), published)
  await run(made)
  say(
    made,
    rss(
      item('1', { title: 'Autre' }),
      item('2'),
      item('3'),
      tooLong(),
      item('4', { link: 'http://www.twin.example' }),
      item('3'),
    ),
  )
  const before = await publications(made)
  const dry = await dryRun(made)
  expect(await publications(made)).toEqual(before)
  expect(dry.items).toEqual([
    { external_id: '1', title: 'Autre', action: 'updated', reason: null },
    { external_id: '2', title: 'Titre 2', action: 'unchanged', reason: null },
    { external_id: '3', title: 'Titre 3', action: 'created', reason: null },
    {
      external_id: 'long',
      title: 'Titre long',
      action: 'rejected',
      reason: 'body must have at most 20000 characters',
    },
    { external_id: '4', title: 'Titre 4', action: 'duplicate', reason: 'duplicate of another publication' },
    {
      external_id: '3',
      title: 'Titre 3',
      action: 'duplicate',
      reason: 'its identifier occurs twice in the source',
    },
  ])
  const counts = { fetched: 6, created: 1, updated: 1, unchanged: 1, duplicates: 2, rejected: 1 }
  expect(dry).toMatchObject({ dry_run: true, status: 'partial', ...counts })
  expect(await run(made)).toMatchObject({ dry_run: false, status: 'partial', ...counts })
})

test.each([
  [true, { created: 0, duplicates: 1 }, 1],
  [false, { created: 0, duplicates: 1 }, 2],
])(
  'an item that comes again under another identifier is a duplicate: left out %s',
  async (skip_duplicates, counts, count) => {
    const said = item('1', { link: 'https://club.example/fete' })
    const made = await source(rss(said), { ...published, skip_duplicates })
    await run(made)
    say(made, rss({ ...said, guid: '1?v=2' }))
    expect(await dryRun(made)).toMatchObject(counts)
    expect(await run(made)).toMatchObject(counts)
    expect(await publications(made)).toHaveLength(count)
  },
)

test('an item that stands in a source twice under two identifiers is published once', async () => {
  const said = item('1', { link: 'https://club.example/double' })
  const made = await source(rss(said, { ...said, guid: '2' }), published)
  const inTwo: Reading['read'] = async function* (input) {
    for await (const batch of readItems(input)) for (const one of batch) yield [one]
  }
  expect(await dryRun(made)).toMatchObject({ created: 1, duplicates: 1 })
  expect(await run(made, { read: inTwo })).toMatchObject({ created: 1, duplicates: 1 })
  expect(await run(made, { read: inTwo })).toMatchObject({ unchanged: 1, duplicates: 1 })
})

test('items of a source that name the same page, or say the same of no page, are no duplicates', async () => {
  const home = { link: 'https://club.example/' }
  const made = await source(
    rss(item('1', home), item('2', home), { ...item('3'), guid: '4' }, item('3')),
    published,
  )
  expect(await run(made)).toMatchObject({ created: 4, duplicates: 0 })
  say(made, rss(item('5', home)))
  expect(await run(made)).toMatchObject({ created: 1, duplicates: 0 })
})

test('an item that comes again after its publication was deleted here is published', async () => {
  const said = item('1', { link: 'https://club.example/supprimee' })
  const made = await source(rss(said), published)
  await run(made)
  await admin.delete(`/publications/${(await publications(made))[0]?.id}`)
  say(made, rss({ ...said, guid: '2' }))
  expect(await run(made)).toMatchObject({ created: 1, duplicates: 0 })
})

test('an accepted duplicate counts as a duplicate and belongs to the source from then on', async () => {
  const link = 'https://both.example/'
  await run(await source(rss(item('x', { link })), published))
  const made = await source(rss(item('1', { link })), { ...published, skip_duplicates: false })
  expect(await run(made)).toMatchObject({ created: 0, duplicates: 1 })
  expect(await publications(made)).toHaveLength(1)
  expect(await run(made)).toMatchObject({ duplicates: 0, unchanged: 1 })
})

test('an update does not overwrite items edited, rejected or deleted here', async () => {
  const made = await source(rss(item('edited'), item('gone'), item('refused')), published)
  await run(made)
  const [edited, deleted, refused] = (await publications(made)).map(({ id }) => id)
  await admin.patch(`/publications/${edited}`, { title: 'Corrigé' })
  await admin.delete(`/admin/publications/${deleted}`)
  await admin.patch(`/admin/publications/${refused}/moderate`, { moderation_status: 'rejected' })
  const anew = { title: 'Nouveau', description: 'Nouveau texte' }
  say(made, rss(item('edited', anew), item('gone', anew), item('refused', anew)))
  expect(await run(made)).toMatchObject({ updated: 2, unchanged: 1 })
  const after = await publications(made)
  expect(after).toMatchObject([
    { title: 'Corrigé', body: 'Nouveau texte', moderation_status: 'published' },
    { title: 'Titre gone', deleted_at: expect.any(Date) },
    { title: 'Nouveau', moderation_status: 'rejected', valide: false },
  ])
  expect(await log(made)).toMatchObject([
    { level: 'info', message: 'updated: kept as edited here: title', external_id: 'edited' },
    { message: 'unchanged: its publication was deleted', external_id: 'gone' },
    { message: 'updated', external_id: 'refused' },
  ])
  expect(await run(made)).toMatchObject({ unchanged: 3 })
  // A field that returns to the source's value follows the source again.
  await admin.patch(`/publications/${edited}`, { title: 'Nouveau' })
  say(made, rss(item('edited', { ...anew, title: 'Encore' })))
  await run(made)
  expect((await publications(made))[0]?.title).toBe('Encore')
})

test('a missing body becomes the title, a long title is cut at a word, a body that is too long is rejected', async () => {
  const long = `${'mot '.repeat(60)}fin`
  const made = await source(
    rss(
      { guid: '1', title: 'a < b & c' },
      item('2', { title: long }),
      item('3', { description: 'x'.repeat(20_001) }),
      { guid: '4', description: '<p>Un <b>texte</b> seul</p>' },
    ),
    published,
  )
  expect(await run(made)).toMatchObject({ status: 'partial', created: 3, rejected: 1 })
  const [one, two, four] = await publications(made)
  expect(one).toMatchObject({ title: 'a < b & c', body: 'a &lt; b &amp; c' })
  expect(two?.title).toMatch(/^mot( mot)*…$/)
  expect(two?.title.length).toBeGreaterThan(190)
  expect(four).toMatchObject({ title: 'Un texte seul', body: '<p>Un <b>texte</b> seul</p>' })
  expect(await log(made)).toContainEqual(
    expect.objectContaining({
      level: 'warning',
      message: 'rejected: body must have at most 20000 characters',
    }),
  )
})

test.each([
  ['an answer that is no feed', { body: '<html><body>Bienvenue</body></html>' }, /cannot be read as RSS/],
  ['an error', { body: '', status: 500 }, /answered 500/],
  ['nothing', { body: '' }, /cannot be read as RSS/],
])('an unreadable feed is a failed run: %s', async (_what, page, error) => {
  const made = await source(page)
  expect(await dryRun(made)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(error),
    items: [],
  })
  expect(await run(made)).toMatchObject({ status: 'failed', error: expect.stringMatching(error) })
  expect(await log(made)).toMatchObject([
    { level: 'error', message: expect.stringMatching(error), external_id: null },
  ])
  expect((await admin.get(at(made.id))).body.data).toMatchObject({
    failures: 1,
    last_run: { status: 'failed' },
  })
})

test("does not fetch bytes that were imported completely, unless the source's settings change", async () => {
  const headers = { etag: '"one"' }
  const made = await source({ body: rss(item('1')), headers })
  expect(await dryRun(made)).toMatchObject({ fetched: 1 })
  expect(await dryRun(made)).toMatchObject({ fetched: 1 })
  expect(await run(made)).toMatchObject({ fetched: 1 })
  expect(await run(made)).toMatchObject({ status: 'succeeded', fetched: 0 })
  expect(await dryRun(made)).toMatchObject({ status: 'succeeded', fetched: 0, items: [] })
  say(made, { body: rss(item('1'), item('2')), headers: { etag: '"two"' } })
  expect(await run(made)).toMatchObject({ fetched: 2 })
  await admin.patch(at(made.id), { skip_duplicates: false })
  expect(await dryRun(made)).toMatchObject({ fetched: 2, items: [{ action: 'unchanged' }, {}] })
  expect(await run(made)).toMatchObject({ fetched: 2 })
})

test('fetches a document again if it was not imported completely', async () => {
  const made = await source({ body: rss(item('1'), tooLong()), headers: { etag: '"one"' } })
  expect(await run(made)).toMatchObject({ status: 'partial', fetched: 2 })
  expect(await run(made)).toMatchObject({ status: 'partial', fetched: 2 })
})

test('imports an earlier document again after another one was imported partially', async () => {
  const first = { body: rss(item('1')), headers: { etag: '"one"' } }
  const made = await source(first, published)
  await run(made)
  say(made, { body: rss(item('1', { title: 'Autre' }), tooLong()), headers: { etag: '"two"' } })
  expect(await run(made)).toMatchObject({ status: 'partial', updated: 1 })
  say(made, first)
  expect(await run(made)).toMatchObject({ status: 'succeeded', updated: 1 })
  expect(await publications(made)).toMatchObject([{ title: 'Titre 1' }])
})

test('refuses a private address for every caller', async () => {
  const guarded = await openWorld()
  const { source, dryRun } = await importsKit(guarded)
  const made = await source(rss(item('1')))
  expect(await dryRun(made)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/private or reserved/),
  })
})

test('GET /admin/import-sources/{id}/runs returns filtered runs, newest first', async () => {
  const made = await source(rss(item('1')))
  const dry = await dryRun(made)
  const real = await run(made)
  const idsOf = async (query: string) =>
    (await admin.get(`${at(made.id)}/runs?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await idsOf('')).toEqual([real.id, dry.id])
  expect(await idsOf('sort=started_at_asc')).toEqual([dry.id, real.id])
  expect(await idsOf('dry_run=true')).toEqual([dry.id])
  expect(await idsOf(`ids=${dry.id},${unknown}`)).toEqual([dry.id])
  expect(await idsOf('status=failed,partial')).toEqual([])
  expect(await admin.get(`${at(made.id)}/runs?page=0`)).toBeError(422, 'validation_failed')
  expect(await admin.get(`${at(unknown)}/runs`)).toBeError(404, 'not_found')
})

test('GET /admin/import-sources/{id}/runs/{runId} returns 200 with the run, 404 for one of another source', async () => {
  const [made, other] = [await source(rss(item('1'))), await source(rss(item('2')))]
  const done = await run(made)
  const answer = await admin.get(`${at(made.id)}/runs/${done.id}`)
  expect(answer.status).toBe(200)
  expect(answer.body.data).toEqual(done)
  for (const path of [
    `${at(other.id)}/runs/${done.id}`,
    `${at(made.id)}/runs/${unknown}`,
    `${at(made.id)}/runs/x`,
  ])
    expect(await admin.get(path)).toBeError(404, 'not_found')
  await admin.delete(at(made.id))
  expect(await admin.get(`${at(made.id)}/runs/${done.id}`)).toBeError(404, 'not_found')
})

test('GET /admin/import-sources/{id}/logs/{date} returns the runs of the day in Paris with their lines', async () => {
  const made = await source(rss(item('1')))
  const { id } = await run(made)
  await db
    .updateTable('import_runs')
    .set({ started_at: new Date('2026-03-29T22:30:00Z'), finished_at: new Date('2026-03-29T22:31:00Z') })
    .where('id', '=', id)
    .execute()
  const answer = await admin.get(`${at(made.id)}/logs/2026-03-30`)
  expect(answer.body.data).toMatchObject({
    date: '2026-03-30',
    runs: [
      {
        id,
        status: 'succeeded',
        lines_total: 1,
        lines: [{ level: 'info', message: 'created', external_id: '1' }],
      },
    ],
  })
  expect(await admin.get(`${at(made.id)}/logs/2026-03-29`)).toBeError(404, 'not_found')
  for (const day of ['2026-02-30', 'hier', '0000-01-01', '2026-3-30'])
    expect(await admin.get(`${at(made.id)}/logs/${day}`), day).toBeError(422, 'validation_failed')
  expect(await admin.get(`${at(unknown)}/logs/2026-03-30`)).toBeError(404, 'not_found')
})

test('days that do not fit edited hours wait, and count once they fit', async () => {
  const event = (begin: string, end: string) =>
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      `SUMMARY:Concert ${number}`,
      `DTSTART;TZID=Europe/Paris:${begin}`,
      `DTEND;TZID=Europe/Paris:${end}`,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n')
  const made = await source(event('20261205T200000', '20261205T220000'), { ...published, type: 'ics' })
  await run(made)
  const [{ id = '' } = {}] = await publications(made)
  const correct = (heure_debut: string) => admin.patch(`/admin/publications/${id}`, { heure_debut })
  const when = async () => {
    const [{ date_debut, heure_debut, heure_fin } = {}] = await publications(made)
    return [date_debut, heure_debut, heure_fin]
  }
  expect((await correct('21:00')).status).toBe(200)
  say(made, event('20261206T140000', '20261206T160000'))
  // From 21:00 to 16:00 of one day: nothing of it is taken over, and the log says so.
  await run(made)
  expect(await when()).toEqual(['2026-12-05', '21:00', '22:00'])
  expect((await log(made)).at(-1)?.message).toContain('heure_debut, date_debut, heure_fin')
  await run(made)
  expect(await when()).toEqual(['2026-12-05', '21:00', '22:00'])
  expect((await correct('14:00')).status).toBe(200)
  await run(made)
  expect(await when()).toEqual(['2026-12-06', '14:00', '16:00'])
})

test('a cancelled event is marked in its title and loses its featuring, once', async () => {
  const event = (status: string) =>
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      `SUMMARY:Bal ${number}`,
      `STATUS:${status}`,
      'DTSTART:20261201',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n')
  const made = await source(event('CONFIRMED'), { ...published, type: 'ics' })
  await run(made)
  const [{ id = '' } = {}] = await publications(made)
  const feature = () => admin.patch(`/admin/publications/${id}/feature`, { en_avant: true })
  await feature()
  say(made, event('CANCELLED'))
  expect(await run(made)).toMatchObject({ updated: 1 })
  expect(await publications(made)).toMatchObject([
    {
      title: `Annulé : Bal ${number}`,
      en_avant: false,
      moderation_status: 'published',
      date_debut: '2026-12-01',
    },
  ])
  await feature()
  expect(await run(made)).toMatchObject({ unchanged: 1 })
  expect(await publications(made)).toMatchObject([{ en_avant: true }])
  say(made, event('CONFIRMED'))
  await run(made)
  expect(await publications(made)).toMatchObject([{ title: `Bal ${number}` }])
})

test.each([
  ['It takes too long to read.', { timeoutMs: 1, maxHeapMb: 512 }],
  ['It takes too much memory to read.', { timeoutMs: 60_000, maxHeapMb: 24 }],
])("fails the run for a source that exceeds a reader's limits: %s", async (error, limits) => {
  const made = await source(rss(...Array.from({ length: 20_000 }, (_, n) => item(`${n}`))))
  const read = (input: ReadInput) => readInWorker(input, signal, limits)
  expect(await run(made, { read })).toMatchObject({ status: 'failed', error, fetched: 0 })
  expect((await log(made)).at(-1)).toMatchObject({ level: 'error', message: error })
  // Nobody else is affected: the next source has its own thread.
  say(made, rss(item('1')))
  expect(await run(made, { read: (input) => readInWorker(input, signal) })).toMatchObject({ created: 1 })
})

test('a dry run that the server keeps waiting ends as failed when its time is up', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const server = createServer(() => resolve())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const made = await source(rss(), { url: `http://127.0.0.1:${port}/` })
  const late = new AbortController()
  const ended = tryImport(world, operator, made.id, { ...kit.reading, signal: late.signal })
  await asked
  late.abort(new ReadFailed('It takes too long to read.'))
  expect(await ended).toMatchObject({ status: 'failed', error: 'It takes too long to read.' })
})

test('a crashing reader fails the run and logs the cause', async () => {
  const lines: Record<string, unknown>[] = []
  const noting = createLog('error', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const made = await source(rss(item('1')))
  const asked = await admin.post(`${at(made.id)}/run`)
  const read = (input: ReadInput) => readInWorker({ ...input, type: 'unknown' as 'rss' }, signal)
  await doRun({ ...world, log: noting }, asked.body.data.id, { ...kit.reading, read })
  expect((await admin.get(at(made.id))).body.data.last_run).toMatchObject({
    status: 'failed',
    error: 'It cannot be read.',
  })
  expect(lines).toMatchObject([{ run_id: asked.body.data.id, err: { type: 'TypeError' } }])
})

test('deletes runs with their logs after RETENTION_RUNS months and keeps the publications', async () => {
  const made = await source(rss(item('1')), published)
  const { id } = await run(made)
  const ended = new Date(Date.now() - 200 * 86_400_000)
  await deleteOldRuns(db, 6, 500)
  await db.updateTable('import_runs').set({ finished_at: ended }).where('id', '=', id).execute()
  expect(await deleteOldRuns(db, 6, 500)).toBe(1)
  expect(await db.selectFrom('import_log').selectAll().where('run_id', '=', id).execute()).toEqual([])
  expect(await publications(made)).toHaveLength(1)
  expect(await run(made)).toMatchObject({ unchanged: 1 })
})

test('keeps the first thousand log lines of a run and counts the others', async () => {
  const made = await source(rss(...Array.from({ length: 1_150 }, (_, n) => item(`${n}`))))
  expect(await run(made)).toMatchObject({ created: 1_150 })
  expect(await log(made)).toHaveLength(1_000)
  const dry = await dryRun(made)
  expect(dry.items).toHaveLength(1_000)
  expect(dry).toMatchObject({ fetched: 1_150, unchanged: 1_150 })
})
