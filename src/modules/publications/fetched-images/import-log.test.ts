import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import { allowPrivate, importsKit, rss } from '../../imports/imports.test-kit.ts'
import { decoderOf } from '../../media/decoding/decoder.ts'
import { fetchDue } from './fetching.ts'

const world = await openWorld({ env: allowPrivate })
const { acteur, commune, db } = world
const { source, run, log } = await importsKit(world)
const { signal } = new AbortController()
const tools = {
  db,
  fetch: createGuardedFetch({ allowPrivate: true, maxBytes: 100_000, timeoutMs: 60_000 }),
  decoder: decoderOf(world),
  log: { warn: () => {} },
}
const makeDue = async () => {
  await sql`update image_hosts set free_at = now() - interval '1 second'`.execute(db)
  await sql`update image_fetches set next_at = now() - interval '1 second' where state = 'waiting'`.execute(
    db,
  )
}

test('the log of an import says at the first failure that a picture cannot be fetched, once', async () => {
  const { id: acteur_id } = await acteur({ commune_id: (await commune()).id, valide: true })
  // Nothing listens there.
  const picture = 'http://127.0.0.1:1/affiche.png'
  const item = { guid: 'un', title: 'Fête', description: `Texte <img src="${picture}"/>` }
  const made = await source(rss(item), { acteur_id })
  await run(made)
  const before = await log(made)
  for (let times = 0; times < 2; times++) {
    await makeDue()
    expect(await fetchDue(tools, signal, 60_000)).toBe(1)
  }
  expect((await log(made)).slice(before.length)).toEqual([
    {
      ...{ at: expect.stringMatching(/^\d{4}-.*Z$/), level: 'warning', external_id: 'un' },
      message: `picture: its server does not answer (${picture}); tried again in 10 minutes`,
    },
  ])
})
