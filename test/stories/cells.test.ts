import { expect, onTestFinished, test, vi } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { openWorld } from '../support/world.ts'
import { createReader, serveReader } from './cells-reader.ts'

const generous = { timeout: 60_000, interval: 50 }

/** Two installations, each with a database and communes of its own, and one reader of both. */
async function openCells() {
  const [ain, jura] = [await openWorld(), await openWorld()]
  const bourg = await ain.commune({ nom: 'Bourg-en-Bresse', slug: 'bourg-en-bresse' })
  const dole = await jura.commune({ nom: 'Dole', slug: 'dole' })
  const reader = createReader([
    { name: 'ain', url: ain.url },
    { name: 'jura', url: jura.url },
  ])
  const site = await serveReader(reader)
  onTestFinished(() => void site.close())
  const read = async (query = '') =>
    (await (await fetch(`${site.url}/publications${query}`)).json()) as {
      data: { cell: string; title: string }[]
      outdated: object[]
    }
  /** Reads until what was gathered is this: the feed shows a change once no earlier transaction runs on the server. */
  const untilRead = (titles: string[], query = '') =>
    vi.waitFor(async () => {
      await reader.refresh()
      const { data } = await read(query)
      expect(data.map(({ cell, title }) => `${cell}: ${title}`).sort()).toEqual(titles)
    }, generous)
  return { ain, jura, bourg, dole, reader, read, untilRead }
}

test('one reader gathers what two installations publish, change and take back', async () => {
  const { ain, jura, bourg, dole, untilRead } = await openCells()
  // The same slug in both: they know nothing of each other.
  const fete = await insertPublication(ain, { slug: 'fete', title: 'Fête', commune_id: bourg.id })
  await insertPublication(jura, { slug: 'fete', title: 'Fête', commune_id: dole.id })
  await untilRead(['ain: Fête', 'jura: Fête'])
  await untilRead(['jura: Fête'], '?commune=dole')
  const marche = await insertPublication(jura, { slug: 'marche', title: 'Marché', commune_id: dole.id })
  await ain.db.updateTable('publications').set({ title: 'Grande fête' }).where('id', '=', fete.id).execute()
  await untilRead(['ain: Grande fête', 'jura: Fête', 'jura: Marché'])
  const admin = await jura.as('admin')
  const decision = { moderation_status: 'rejected', reason: 'Hors sujet' }
  expect((await admin.patch(`/admin/publications/${marche.id}/moderate`, decision)).status).toBe(200)
  await untilRead(['ain: Grande fête', 'jura: Fête'])
}, 120_000)

test('an installation that is down leaves its last copy and the others, and misses nothing', async () => {
  const { ain, jura, bourg, dole, reader, read, untilRead } = await openCells()
  await insertPublication(ain, { title: 'Avant', commune_id: bourg.id })
  await untilRead(['ain: Avant'])
  const port = Number(new URL(ain.url).port)
  await ain.app.server.close()
  await insertPublication(jura, { title: 'Marché', commune_id: dole.id })
  await insertPublication(ain, { title: 'Pendant', commune_id: bourg.id })
  await untilRead(['ain: Avant', 'jura: Marché'])
  expect(reader.failures()).toEqual([{ cell: 'ain', failure: expect.any(String) }])
  expect((await read()).outdated).toEqual(reader.failures())
  const again = await openWorld({ database: ain.database })
  const server = again.app.server.server
  // The same installation, back at its address.
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  await untilRead(['ain: Avant', 'ain: Pendant', 'jura: Marché'])
  expect((await read()).outdated).toEqual([])
}, 120_000)

test('a reader that was away for more than 30 days copies everything again', async () => {
  const { ain, bourg, untilRead } = await openCells()
  const { id } = await insertPublication(ain, { title: 'Ancienne', commune_id: bourg.id })
  await untilRead(['ain: Ancienne'])
  const real = globalThis.fetch
  let refused = 0
  // Its first request gets what an expired cursor gets; meanwhile a publication went without a change in the feed.
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) => {
    if (refused > 0 || !`${given[0]}`.includes('changes?since=')) return real(...given)
    refused++
    const [address, ...rest] = given
    return real(`${address}`.replace(/since=.*/, 'since=2020-01-01T00:00:00Z'), ...rest)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  await ain.db.deleteFrom('publications').where('id', '=', id).execute()
  await ain.db.deleteFrom('publication_changes').execute()
  await insertPublication(ain, { title: 'Nouvelle', commune_id: bourg.id })
  await untilRead(['ain: Nouvelle'])
  expect(refused).toBe(1)
}, 120_000)
