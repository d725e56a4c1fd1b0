import { expect, test } from 'vitest'
import { cloneWithCommunes } from '../test/support/many/communes.ts'
import { openWorld } from '../test/support/world.ts'
import { insertDemo } from './load.ts'

const world = await openWorld({ database: await cloneWithCommunes() })
await world.db.transaction().execute((tx) => insertDemo(tx, world.config.publicUrl))
const admin = await world.as('admin')
const sources: {
  id: string
  nom: string
  type: string
  url: string
  cron: string | null
  last_run: { status: string }
}[] = (await admin.get('/admin/import-sources')).body.data

test('has a source of each type with runs and logs', async () => {
  expect(sources.map(({ type }) => type).sort()).toEqual(['csv', 'ics', 'json', 'openagenda', 'rss'])
  const statuses = new Set<string>()
  for (const { id, url, cron } of sources) {
    expect(url).toMatch(/^demo:/)
    expect(cron).toBeNull()
    const runs = (await admin.get(`/admin/import-sources/${id}/runs`)).body.data
    for (const run of runs) {
      statuses.add(run.status)
      const day = new Date(run.started_at).toLocaleDateString('sv', { timeZone: 'Europe/Paris' })
      const { body } = await admin.get(`/admin/import-sources/${id}/logs/${day}`)
      expect(body.data.runs[0].lines_total).toBe(
        run.fetched === run.unchanged && !run.error ? 0 : body.data.runs[0].lines.length,
      )
    }
  }
  expect([...statuses].sort()).toEqual(['failed', 'partial', 'succeeded'])
})

test('the source that failed names itself as an example', () => {
  const failed = sources.filter(({ last_run }) => last_run.status === 'failed')
  expect(failed.map(({ nom }) => nom)).toEqual(['Exemple : avis de la bibliothèque, en échec'])
})

test('demo sources can be read on the embedded database only', async () => {
  const elsewhere = await openWorld({
    database: world.database,
    env: { DATABASE_URL: 'postgres://db.example.org/parvis' },
  })
  const other = await elsewhere.as('admin')
  for (const { id, type } of sources) {
    const path = `/admin/import-sources/${id}/run?dry_run=true`
    const dry = (await admin.post(path)).body.data
    expect(dry.status, type).toBe(type === 'csv' ? 'partial' : 'succeeded')
    // The agenda continues: new occurrences come into the window.
    expect(dry.unchanged + dry.rejected + dry.created, type).toBe(dry.fetched)
    expect((await other.post(path)).body.data).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/embedded/),
    })
  }
})
