import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { allowPrivate, importsKit, rss } from './imports.test-kit.ts'

const world = await openWorld({ env: allowPrivate })
const { admin, source, say, run, publications } = await importsKit(world)
const { acteur, commune } = world
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const library = await acteur({ commune_id: (await commune()).id, valide: true })
await world.user({
  email: 'biblio@example.org',
  email_verified: true,
  memberships: [{ acteur: library, role: 'owner' }],
})
const published = { acteur_id: library.id, moderation_status: 'published' }

let number = 0
/** Runs a source once as usual and then with sixty new items, which are held. */
async function heldRun() {
  const prefix = `held-${++number}`
  const items = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      guid: `${prefix}-${n}`,
      title: `${prefix} ${n}`,
      description: `Texte ${prefix} ${n}`,
    }))
  const made = await source(rss(...items(2)), published)
  await run(made)
  say(made, rss(...items(62)))
  const held = await run(made)
  expect(held).toMatchObject({ held: 60, held_decision: null })
  return { made, held }
}
const statuses = async (made: { id: string }) => {
  const counts: Record<string, number> = {}
  for (const { moderation_status } of await publications(made))
    counts[moderation_status] = (counts[moderation_status] ?? 0) + 1
  return counts
}

test('two decisions at once: one wins, the other gets 409', async () => {
  const { held } = await heldRun()
  const answers = await Promise.all([
    admin.post(`/admin/import-runs/${held.id}/accept`),
    admin.post(`/admin/import-runs/${held.id}/refuse`, {}),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409])
})

test('a decision returns 404 for no run, 409 for a run that held nothing back, and 422 for unknown fields', async () => {
  expect(await admin.post(`/admin/import-runs/${unknown}/accept`)).toBeError(404, 'not_found')
  const plain = await run(await source(rss({ guid: 'p', title: 'Seul' }), published))
  expect(await admin.post(`/admin/import-runs/${plain.id}/accept`)).toBeError(409, 'conflict')
  expect(await admin.post(`/admin/import-runs/${plain.id}/refuse`, { why: 'x' })).toBeError(
    422,
    'validation_failed',
  )
})

test('POST /admin/import-runs/{id}/accept and /refuse decide, once, what this run held back', async () => {
  const [good, bad] = [await heldRun(), await heldRun()]
  const listed = (await admin.get('/admin/import-runs?held=true&per_page=2')).body
  expect(listed.data).toMatchObject([
    { id: bad.held.id, can: ['accept', 'refuse'] },
    { id: good.held.id, can: ['accept', 'refuse'] },
  ])
  const accepted = await admin.post(`/admin/import-runs/${good.held.id}/accept`)
  expect(accepted).toMatchObject({ status: 202, body: { data: { id: good.held.id, publications: 60 } } })
  const refused = await admin.post(`/admin/import-runs/${bad.held.id}/refuse`, { reason: 'Flux piraté' })
  expect(refused.body.data).toEqual({ id: bad.held.id, publications: 60 })
  expect(await admin.post(`/admin/import-runs/${good.held.id}/refuse`, {})).toBeError(409, 'conflict')
  const ids = `${good.held.id},${bad.held.id}`
  expect((await admin.get(`/admin/import-runs?ids=${ids}`)).body.data).toMatchObject([
    { held_decision: 'refused', can: [] },
    { held_decision: 'accepted', can: [] },
  ])
  await world.runJobs()
  await expect.poll(() => statuses(good.made), { timeout: 50_000 }).toEqual({ published: 62 })
  await expect.poll(() => statuses(bad.made), { timeout: 50_000 }).toEqual({ published: 2, rejected: 60 })
  const reasons = (await publications(bad.made)).map(({ moderation_reason }) => moderation_reason)
  expect(new Set(reasons)).toEqual(new Set([null, 'Flux piraté']))
  expect(await world.db.selectFrom('publication_mails').select('id').execute()).toEqual([])
})
