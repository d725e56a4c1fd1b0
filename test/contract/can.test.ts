import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Role } from '../../src/platform/access/areas.ts'
import { openWorld, type World } from '../support/world.ts'

const { as, acteur, commune, user, client, db } = await openWorld()
type Client = Awaited<ReturnType<World['as']>>

const club = await acteur({ valide: true, commune_id: (await commune()).id })
const member = await user({ memberships: [{ acteur: club, role: 'owner' }] })
const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.', acteur_id: club.id }
const published = async () => {
  const answer = await client({ token: member.token }).post('/publications', content)
  return answer.body.data.id as string
}

/** Its author, and a colleague of each role. */
const roles: (Role | 'author')[] = ['author', 'admin', 'platform_admin', 'moderator', 'support']
const who = (role: Role | 'author', author: Client) => (role === 'author' ? author : as(role))

test.each(roles)('a note shows `delete` exactly to whom DELETE serves: %s', async (role) => {
  const author = await as('moderator')
  const note = { kind: 'publication', id: await published(), body: 'À vérifier.' }
  const { id } = (await author.post('/admin/notes', note)).body.data
  const its = await who(role, author)
  const { can = [] } = (await its.get(`/admin/notes/${id}`)).body.data ?? {}
  const listed = (await its.get(`/admin/notes?kind=publication&id=${note.id}`)).body.data ?? []
  expect(listed.flatMap((row: { can: string[] }) => row.can)).toEqual(can)
  expect(can.includes('delete')).toBe((await its.delete(`/admin/notes/${id}`)).status === 200)
})

const states = ['open', 'undone', 'expired'] as const
const cases = roles.flatMap((role) => states.map((state) => [role, state] as const))

test.each(cases)(
  'a decision shows `undo` exactly where undoing changes something: %s, %s',
  async (role, state) => {
    const author = await as('moderator')
    const id = await published()
    const decide = await author.patch(`/admin/publications/${id}/moderate`, {
      moderation_status: 'published',
    })
    const { decision_id } = decide.body.data
    if (state === 'undone') await author.post(`/admin/decisions/${decision_id}/undo`)
    if (state === 'expired')
      await sql`update decisions set decided_at = decided_at - interval '1 hour' where id = ${decision_id}`.execute(
        db,
      )
    const its = await who(role, author)
    const all = role.endsWith('admin') ? '?all=true' : ''
    const { data } = (await its.get(`/admin/decisions${all}`)).body
    const { can = [] } = data.find((row: { id: string }) => row.id === decision_id) ?? {}
    const version = async () =>
      (await db.selectFrom('publications').select('version').where('id', '=', id).executeTakeFirstOrThrow())
        .version
    const before = await version()
    await its.post(`/admin/decisions/${decision_id}/undo`)
    expect(can.includes('undo')).toBe((await version()) !== before)
  },
)
