import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import { allowPrivate, importsKit, rss } from './imports.test-kit.ts'

const world = await openWorld({ env: allowPrivate })
const { acteur, commune, db, get } = world
const { admin, at, source, say, run, dryRun, log, publications } = await importsKit(world)
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

const town = await commune()
const library = await acteur({ commune_id: town.id, valide: true })
await world.user({
  email: 'biblio@example.org',
  email_verified: true,
  memberships: [{ acteur: library, role: 'owner' }],
})
const published = { acteur_id: library.id, moderation_status: 'published' }
const items = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => ({
    guid: `${prefix}-${n}`,
    title: `Titre ${prefix} ${n}`,
    description: `Texte ${prefix} ${n}`,
  }))
const mails = async () => {
  const { rows } = await sql<{ key: string }>`
    select data ->> 'key' as key from pgboss.job where name = 'users.mail-administrator'`.execute(db)
  return rows.map(({ key }) => key)
}

const lastRunOf = async ({ id }: { id: string }) =>
  (await admin.get(`${at(id)}/runs?per_page=1&dry_run=false`)).body.data[0]

/** Creates a source that has imported three items a day for some days. */
async function usual(name: string) {
  const made = await source(rss(...items(3, name)), published)
  for (let day = 0; day < 3; day++) expect(await run(made)).toMatchObject({ status: 'succeeded', held: 0 })
  return made
}

test('a run far larger than the last ones stays pending and is reported; so is the next one', async () => {
  const made = await usual('calm')
  say(made, rss(...items(3, 'calm'), ...items(60, 'flood')))
  expect(await dryRun(made)).toMatchObject({ created: 60, unchanged: 3, held: 60 })
  const flood = await run(made)
  expect(flood).toMatchObject({ status: 'succeeded', fetched: 63, created: 60, held: 60 })
  const states = (await publications(made)).map(({ external_id, moderation_status, publie_le }) => [
    external_id.split('-')[0],
    moderation_status,
    publie_le === null,
  ])
  expect(new Set(states.map(String))).toEqual(new Set(['calm,published,false', 'flood,pending,true']))
  const lines = await log(made)
  expect(lines.at(-1)).toMatchObject({
    level: 'warning',
    message: expect.stringMatching(/^60 new publications wait for a decision: held/),
  })
  expect(new Set(await mails())).toEqual(new Set([`import-held-${flood.id}`]))
  // A flood does not raise the expected size.
  say(made, rss(...items(60, 'flood'), ...items(70, 'second')))
  expect(await run(made)).toMatchObject({ created: 70, held: 70 })
  expect(await run(made)).toMatchObject({ created: 0, held: 0 })
})

test('a first run, one of fifty new items, and one without automatic publication are not held', async () => {
  const first = await source(rss(...items(80, 'first')), published)
  expect(await run(first)).toMatchObject({ created: 80, held: 0 })
  const small = await usual('small')
  say(small, rss(...items(50, 'more')))
  expect(await run(small)).toMatchObject({ created: 50, held: 0 })
  const waiting = await usual('waiting')
  await admin.patch(at(waiting.id), { moderation_status: 'pending' })
  say(waiting, rss(...items(60, 'waits')))
  expect(await run(waiting)).toMatchObject({ created: 60, held: 0 })
})

test('POST /admin/import-sources/{id}/withdraw returns 202, rejects and audits what it published', async () => {
  const other = await usual('other')
  const made = await usual('hijacked')
  const since = new Date().toISOString()
  say(made, rss(...items(40, 'spam')))
  expect(await run(made)).toMatchObject({ created: 40, held: 0 })
  const [spam] = (await publications(made)).filter(({ external_id }) => external_id.startsWith('spam'))
  expect((await get(`/publications/${spam?.id}`)).status).toBe(200)
  const withdraw = (body: object) => admin.post(`${at(made.id)}/withdraw`, body)
  const answer = await withdraw({ since, reason: 'Source piratée' })
  expect(answer).toMatchObject({ status: 202, body: { data: { id: made.id, publications: 40 } } })
  await world.runJobs()
  await until('they are withdrawn', async () => (await get(`/publications/${spam?.id}`)).status === 404)
  const left = async () => (await withdraw({ since: null })).body.data.publications
  await until('all of them are', async () => (await left()) <= 3)
  const auditEntries = await db
    .selectFrom('audit_log')
    .select(['action', 'user_id', 'entity'])
    .where('entity_id', 'in', [made.id, spam?.id ?? ''])
    .where('action', 'in', ['import_source.withdraw', 'publication.moderate'])
    .orderBy('at')
    .execute()
  const by = auditEntries[0]?.user_id
  expect(by).not.toBeNull()
  expect(auditEntries).toContainEqual({
    action: 'import_source.withdraw',
    entity: 'import_source',
    user_id: by,
  })
  expect(auditEntries).toContainEqual({ action: 'publication.moderate', entity: 'publication', user_id: by })
  expect(await publications(made)).toContainEqual(
    expect.objectContaining({
      id: spam?.id,
      moderation_status: 'rejected',
      moderation_reason: 'Source piratée',
    }),
  )
  // The space of the acteur shows why; a mail about each would be a flood.
  const about = (
    await db
      .selectFrom('statements')
      .selectAll()
      .where('record_id', '=', spam?.id ?? '')
      .execute()
  )[0]
  expect(about).toMatchObject({ restriction: 'rejected', reason: 'Source piratée' })
  expect(await db.selectFrom('publication_mails').select('id').execute()).toEqual([])
  // An item imported again stays withdrawn. Items of other sources stay public.
  await admin.post(`${at(made.id)}/run`)
  await until('the run has ended', async () => (await lastRunOf(made)).status === 'succeeded')
  expect(await lastRunOf(made)).toMatchObject({ unchanged: 40 })
  expect((await get(`/publications/${spam?.id}`)).status).toBe(404)
  const [kept] = await publications(other)
  expect((await get(`/publications/${kept?.id}`)).status).toBe(200)
})

test('what was withdrawn before its source was deleted is rejected to the last', async () => {
  const made = await source(rss(...items(350, 'gone')), published)
  await world.runJobs()
  await admin.post(`${at(made.id)}/run`)
  // The counts are written while the run goes on, and it refuses a withdrawal until it has ended.
  await until('the run has ended', async () => (await lastRunOf(made))?.status === 'succeeded')
  const ids = (await publications(made)).map(({ id }) => id)
  expect(ids).toHaveLength(350)
  expect((await admin.post(`${at(made.id)}/withdraw`, { since: null })).status).toBe(202)
  expect((await admin.delete(at(made.id))).status).toBe(200)
  const found = () => db.selectFrom('import_sources').select('id').where('id', '=', made.id).execute()
  await until('the source is gone', async () => (await found()).length === 0)
  const states = await db
    .selectFrom('publications')
    .select('moderation_status')
    .where('id', 'in', ids)
    .groupBy('moderation_status')
    .execute()
  expect(states).toEqual([{ moderation_status: 'rejected' }])
})

test('POST /admin/import-sources/{id}/withdraw returns 404 for no source, 409 during a run, 422 without a period', async () => {
  const all = { since: null }
  expect(await admin.post(`${at(unknown)}/withdraw`, all)).toBeError(404, 'not_found')
  const made = await source(rss(), published)
  for (const body of [{}, { since: 'hier' }, { ...all, until: null }])
    expect(await admin.post(`${at(made.id)}/withdraw`, body)).toBeError(422, 'validation_failed')
  const values = { id: unknown, source_id: made.id, dry_run: true, status: 'running' }
  await db.insertInto('import_runs').values(values).execute()
  expect(await admin.post(`${at(made.id)}/withdraw`, all)).toBeError(409, 'import_in_progress')
})
