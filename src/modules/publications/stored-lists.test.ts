import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { insertPublication } from './publications.test-kit.ts'

const world = await openWorld()
const { db, pool } = world
const communes = [await world.commune(), await world.commune(), await world.commune()].map(({ id }) => id)
const types = (await db.selectFrom('publication_types').select('id').execute()).map(({ id }) => id)

// A change of an acteur refreshes one publication itself; `batch` does the next.
const { rows: triggers } = await pool.query<{ text: string }>(
  "select pg_get_functiondef('refresh_listings_of_acteur'::regproc) as text",
)
const trigger = (triggers[0]?.text ?? '').replace(
  /refresh_listings_of\(new\.id, \d+\)/,
  'refresh_listings_of(new.id, 1)',
)
await run(world.database.owner, trigger)

const which = fc.nat(7)
const operation = fc.oneof(
  fc.record({ do: fc.constant('insert'), state: fc.nat(5), acteur: fc.nat(2) }),
  fc.record({ do: fc.constant('state'), which, state: fc.nat(5) }),
  fc.record({ do: fc.constant('several'), which, state: fc.nat(5) }),
  fc.record({ do: fc.constant('content'), which, state: fc.nat(3) }),
  fc.record({ do: fc.constant('communes'), which, state: fc.nat(7) }),
  fc.record({ do: fc.constant('acteur'), acteur: fc.nat(1), state: fc.nat(3) }),
  fc.record({ do: fc.constant('batch'), acteur: fc.nat(1) }),
  fc.record({ do: fc.constant('remove'), which }),
  fc.record({ do: fc.constant('undone'), which, state: fc.nat(5) }),
)
type Operation = { do: string; which?: number; state?: number; acteur?: number }

const states = [
  "valide = true, moderation_status = 'published', publie_le = now() - interval '1 hour'",
  "valide = true, moderation_status = 'approved', publie_le = now() + interval '1 day'",
  "valide = true, moderation_status = 'approved', publie_le = null",
  "valide = false, moderation_status = 'rejected'",
  'deleted_at = now()',
  'deleted_at = null',
]
const contents = [
  `title = 'Autre', body = 'Autre', duplicate_key = 's:${'c'.repeat(32)}'`,
  `type_id = '${types[1]}', epingle = not epingle`,
  "en_avant = true, featured_until = now() + interval '1 day'",
  "type_id = null, date_debut = '2026-12-01', date_fin = '2026-12-02'",
]

test('after any concurrent changes lists and groups equal plain queries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 5, maxLength: 12 }),
      async (rounds) => {
        const scene = await openScene()
        // Changes of a round run concurrently; lock waits end.
        for (const round of rounds) {
          await Promise.all(round.map((one) => scene.apply(one)))
          await compare()
        }
        await finish()
      },
    ),
    { numRuns: propertyRuns(1 / 10) },
  )
}, 600_000)

test('a publication deleted while its acteur is restored appears in no list', async () => {
  const { id: acteur_id } = await world.acteur({ active: false })
  const { id } = await insertPublication(world, { acteur_id })
  const back = await db.startTransaction().execute()
  await back.updateTable('acteurs').set({ active: true }).where('id', '=', acteur_id).execute()
  const removed = pool.query('delete from publications where id = $1', [id])
  await Promise.race([removed, untilWaiting(db)])
  await back.commit().execute()
  await removed
  await compare()
  await finish()
})

test('a batch waits for a publication of the acteur that is being changed', async () => {
  const { id: acteur_id } = await world.acteur()
  const { id } = await insertPublication(world, { acteur_id })
  await insertPublication(world, { acteur_id })
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', acteur_id).execute()
  await finish()
  // Refreshes the newer one.
  await db.updateTable('acteurs').set({ active: true }).where('id', '=', acteur_id).execute()
  const pinning = await db.startTransaction().execute()
  await pinning.updateTable('publications').set({ epingle: true }).where('id', '=', id).execute()
  const refreshed = pool.query('select refresh_listings_of($1, 1)', [acteur_id])
  await Promise.race([refreshed, untilWaiting(db)])
  await pinning.commit().execute()
  await refreshed
  await finish()
})

/** Ends all refreshes: the stored rows are complete, and equal what was computed before. */
async function finish(): Promise<void> {
  const left = 'select acteur_id from listing_refreshes where refresh_listings_of(acteur_id, 2)'
  while ((await pool.query(left)).rows.length > 0);
  await compare('publication_listings')
}

async function openScene() {
  const acteurs = [await world.acteur(), await world.acteur(), null]
  const ids: string[] = []

  async function apply({ do: action, which = 0, state = 0, acteur = 0 }: Operation): Promise<void> {
    const id = ids[which % Math.max(1, ids.length)]
    if (action === 'insert') {
      const commune_ids = communes.filter((_, index) => (state >> index) % 2 === 1)
      const acteur_id = acteurs[acteur]?.id ?? null
      const type_id = types[state] ?? null
      ids.push((await insertPublication(world, { acteur_id, type_id, commune_ids })).id)
    } else if (action === 'acteur') {
      const change = state < 2 ? `active = ${state === 0}` : `deleted_at = ${state === 2 ? 'now()' : 'null'}`
      await pool.query(`update acteurs set ${change} where id = $1`, [acteurs[acteur]?.id])
    } else if (action === 'batch')
      await pool.query('select refresh_listings_of($1, 1)', [acteurs[acteur]?.id])
    else if (id === undefined) return
    else if (action === 'state')
      await pool.query(`update publications set ${states[state]} where id = $1`, [id])
    else if (action === 'several') {
      // Locks in id order, as a bulk decision does.
      await pool.query(
        `with held as (select id from publications where id = any($1) order by id for no key update)
         update publications p set ${states[state]} from held where p.id = held.id`,
        [ids],
      )
    } else if (action === 'content')
      await pool.query(`update publications set ${contents[state]} where id = $1`, [id])
    else if (action === 'communes') await moveTo(id, state)
    else if (action === 'undone') await change(id, states[state] ?? '', 'rollback')
    else await pool.query('delete from publications where id = $1', [id])
  }

  return { apply }
}

async function moveTo(id: string, state: number): Promise<void> {
  const chosen = communes.filter((_, index) => (state >> index) % 2 === 1)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select from publications where id = $1 for no key update', [id])
    await client.query('delete from publication_communes where publication_id = $1', [id])
    if (rows.length > 0)
      await client.query(
        'insert into publication_communes (publication_id, commune_id) select $1, unnest($2::uuid[])',
        [id, chosen],
      )
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function change(id: string, values: string, end: 'commit' | 'rollback'): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`begin`)
    await client.query(`update publications set ${values} where id = $1`, [id])
    await client.query(end)
  } finally {
    client.release()
  }
}

/** Computes the expected content of the tables by simple queries. */
async function compare(lists = 'current_listings'): Promise<void> {
  const listed = `
    select place.id as commune_id, p.id as publication_id, p.publie_le, p.acteur_id, p.type_id,
      case when p.en_avant then coalesce(p.featured_until, 'infinity') end as featured_until, p.epingle, p.date_debut, p.date_fin
    from publications p
    join (select id as publication_id, '00000000-0000-0000-0000-000000000000'::uuid as id from publications
          union all select publication_id, commune_id from publication_communes) place on place.publication_id = p.id
    where p.valide and p.deleted_at is null and p.moderation_status in ('approved', 'published')
      and p.publie_le is not null
      and not exists (select from acteurs a where a.id = p.acteur_id and (not a.active or a.deleted_at is not null))`
  expect(await difference(`select * from ${lists}`, listed)).toEqual([])
  expect(
    await difference(
      'select * from duplicate_groups',
      `select duplicate_key, count(*)::int from publications where deleted_at is null
       group by 1 having count(*) > 1`,
    ),
  ).toEqual([])
}

async function difference(one: string, other: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `with one as (${one}), other as (${other})
     (select 'too many' as what, * from (select * from one except all select * from other) more)
     union all
     (select 'missing', * from (select * from other except all select * from one) less)`,
  )
  return rows
}
