import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { moderationStatuses } from './schema.ts'
import { hiddenBecause, hiddenReasons, visible } from './visibility.ts'

const world = await openWorld()
const { db } = world
const admin = await world.as('admin')

const acteurs = await Promise.all([
  null,
  world.acteur(),
  world.acteur({ active: false }),
  world.acteur({ deleted_at: new Date() }),
  world.acteur({ active: false, deleted_at: new Date() }),
])
const times = [null, sql<Date>`now() - interval '1 hour'`, sql<Date>`now() + interval '1 hour'`]

/** Every state the database accepts, for every kind of acteur. */
const states = moderationStatuses.flatMap((moderation_status) =>
  [true, false].flatMap((valide) =>
    times.flatMap((publie_le) =>
      [null, new Date()].flatMap((deleted_at) =>
        acteurs.map((acteur) => ({
          moderation_status,
          valide,
          publie_le,
          deleted_at,
          acteur_id: acteur?.id ?? null,
        })),
      ),
    ),
  ),
)
const possible = states.filter(({ moderation_status: status, valide, publie_le }) => {
  const mayBeValid = status === 'approved' || status === 'published'
  return (mayBeValid || !valide) && (status !== 'published' || publie_le !== null)
})
const rows = possible.map((state, index) => ({
  id: uuidv7(),
  slug: 'etat',
  title: 'État',
  body: 'Un état',
  duplicate_key: `s:${index.toString(16).padStart(32, '0')}`,
  ...state,
}))
await db.insertInto('publications').values(rows).execute()

test('hidden_because is empty exactly when the visibility rule shows the publication, in every state', async () => {
  const { rows: told } = await sql<{ shown: boolean | null; because: string[] }>`
    select ${visible} as shown, ${hiddenBecause} as because
    from publications p left join acteurs a on a.id = p.acteur_id`.execute(db)
  expect(told).toHaveLength(possible.length)
  for (const { shown, because } of told) expect(because.length === 0).toBe(shown === true)
  expect(told.some(({ shown }) => shown)).toBe(true)
  // Each reason occurs and hides alone, except those of an undecided publication, which is never valid.
  expect(new Set(told.flatMap(({ because }) => because))).toEqual(new Set(hiddenReasons))
  const alone = told.flatMap(({ because }) => (because.length === 1 ? because : []))
  expect(new Set(alone)).toEqual(
    new Set(hiddenReasons.filter((reason) => reason !== 'pending' && reason !== 'rejected')),
  )
})

test('a publication is hidden whenever managers see a reason', async () => {
  for (const { id } of rows) {
    const { data } = (await admin.get(`/admin/publications/${id}`)).body
    const { status } = await world.get(`/publications/${id}`)
    expect(status).toBe(data.hidden_because.length === 0 ? 200 : 404)
  }
})
