import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const { as, acteur, db, get } = await openWorld()
const admin = await as('admin')

const moment = (hours: number) => new Date(Date.now() + hours * 3_600_000)

async function publication(acteur_id: string, state: object) {
  const id = uuidv7()
  const content = { slug: id, title: 'Titre', body: 'Texte', duplicate_key: `s:${hash('md5', id)}` }
  await db
    .insertInto('publications')
    .values({ id, acteur_id, ...content, ...state })
    .execute()
  return id
}

/** Inserts a publication in each possible state; only the first is public. */
async function publishEverything(acteur_id: string) {
  const published = { moderation_status: 'published', valide: true, publie_le: moment(-1) }
  return [
    await publication(acteur_id, { ...published, epingle: true, en_avant: true }),
    await publication(acteur_id, { ...published, valide: false }),
    await publication(acteur_id, { ...published, deleted_at: moment(-1) }),
    await publication(acteur_id, { moderation_status: 'approved', valide: true, publie_le: moment(1) }),
    await publication(acteur_id, { moderation_status: 'pending' }),
  ] as const
}

const stored = (acteurId: string) =>
  db.selectFrom('publications').selectAll().where('acteur_id', '=', acteurId).orderBy('id').execute()

test.each([
  ['deleted', 'restored', 'DELETE', '', undefined, 'DELETE', '/restore', undefined],
  ['deactivated', 'activated', 'PATCH', '/active', { active: false }, 'PATCH', '/active', { active: true }],
] as const)(
  'publications are hidden when their acteur is %s and reappear unchanged once it is %s',
  async (_, __, method, path, body, back, backPath, backBody) => {
    const { id } = await acteur({ valide: true })
    const [shown, ...hidden] = await publishEverything(id)
    const before = await stored(id)
    const inLists = async () => {
      const { body } = await get(`/publications?acteur_id=${id}`)
      return body.data.map((row: { id: string }) => row.id)
    }
    expect(await inLists()).toEqual([shown])
    expect((await get(`/acteurs/${id}/publications`)).body.data).toHaveLength(1)

    expect((await admin.send(method, `/admin/acteurs/${id}${path}`, body)).status).toBe(200)
    expect(await inLists()).toEqual([])
    expect(await get(`/acteurs/${id}/publications`)).toBeError(404, 'not_found')
    expect(await get(`/publications/${shown}`)).toBeError(404, 'not_found')

    expect((await admin.send(back, `/admin/acteurs/${id}${backPath}`, backBody)).status).toBe(200)
    expect(await inLists()).toEqual([shown])
    for (const one of hidden) expect(await get(`/publications/${one}`)).toBeError(404, 'not_found')
    expect(await stored(id)).toEqual(before)
  },
)
