import type { World } from '../../../test/support/world.ts'

/** Groups of communes whose acteur alerts. */
export async function groupsKit(world: World) {
  const admin = await world.as('admin')
  let number = 0

  /** Opens a group of these communes, with an acteur of its own. */
  async function openGroup(commune_ids: string[]) {
    const acteur = await world.acteur({ type: 'intercommunalite', valide: true })
    const body = { nom: `Syndicat ${++number}`, kind: 'syndicat', acteur_id: acteur.id, commune_ids }
    const { id, slug, nom } = (await admin.post('/admin/groups', body)).body.data
    const client = async (membership: object) => {
      const { token } = await world.user({ memberships: [{ acteur, ...membership }] })
      return world.client({ source: 'mairie', token })
    }
    const owner = await client({ role: 'owner' })
    const path = `/mairie/acteurs/${acteur.id}/alertes`
    return {
      ...{ id, slug, nom, acteur, path, owner },
      member: (permissions: string[]) => client({ permissions }),
      change: (values: object) => admin.patch(`/admin/groups/${id}`, values),
      async alert(values: object = {}) {
        const text = { titre: 'Eau', message: 'Ne la buvez pas.', niveau: 'attention' }
        const { status, body, text: answer } = await owner.post(path, { ...text, ...values })
        if (status !== 201) throw new Error(answer)
        return body.data as { id: string; commune_ids: string[]; version: number }
      },
    }
  }

  return { admin, openGroup }
}
export type Group = Awaited<ReturnType<Awaited<ReturnType<typeof groupsKit>>['openGroup']>>
