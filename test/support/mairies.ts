import type { Permission } from '../../src/platform/access/caller.ts'
import type { World } from './world.ts'

export type Mairie = Awaited<ReturnType<typeof openMairie>>

/** A mairie with its commune, an association there, and a user of every kind. */
type Around = Pick<World, 'acteur' | 'commune' | 'user' | 'client' | 'db'>

export async function openMairie(world: Around, { can_publish = true } = {}) {
  const { acteur, commune, user, client } = world
  const own = await commune()
  const hall = await acteur({ type: 'mairie', commune_id: own.id, valide: true, can_publish })
  await world.db.updateTable('communes').set({ mairie_actor_id: hall.id }).where('id', '=', own.id).execute()
  const club = await acteur({ commune_id: own.id, valide: true })
  const as = async (options: Parameters<typeof user>[0]) =>
    client({ source: 'mairie', token: (await user(options)).token })
  const member = (...permissions: Permission[]) => as({ memberships: [{ acteur: hall, permissions }] })
  return {
    commune: own,
    hall,
    club,
    owner: await as({ memberships: [{ acteur: hall, role: 'owner' }] }),
    publisher: await member('publish_publications'),
    secretary: await member('manage_commune'),
    writer: await member('manage_publications'),
    editor: await member(),
    clubOwner: await as({ memberships: [{ acteur: club, role: 'owner' }] }),
    moderatingMember: await as({ roles: ['moderator'], memberships: [{ acteur: hall }] }),
    path: `/mairie/acteurs/${hall.id}/publications`,
  }
}
