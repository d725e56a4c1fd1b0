import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Actor, RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { keepDeleted } from '../deletions/deleted.ts'
import { insertAlerte } from './queries.ts'

const alerte = { titre: 'Coupure d’eau', message: 'Jeudi matin.', niveau: 'info' }
const corrected = { titre: 'Coupure d’eau rue du Puits' }
const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

export function routeCalls({
  db,
  acteur: makeActeur,
  admin,
  mairie,
  mayor,
  reader,
  noted,
}: Stage): RouteCalls {
  const ofCommune = `/mairie/communes/${mairie.commune.id}/alertes`
  const ofActeur = `/mairie/acteurs/${mairie.hall.id}/alertes`
  const commune = { commune_id: mairie.commune.id }
  const acteur = { acteur_id: mairie.hall.id }
  const stored = (owner: typeof commune | typeof acteur) =>
    insertAlerte(db, { id: crypto.randomUUID(), ...alerte, ...owner })

  const create = (path: string, owner: object) => async () => {
    const after = expect.objectContaining({ ...alerte, ...owner })
    return {
      by: mayor,
      path,
      body: alerte,
      rows: [{ ...noted('alerte.create', null, after), entity: 'alerte' }],
    }
  }
  const read = (by: Actor, path: string, owner: typeof commune | typeof acteur) => async () => ({
    by,
    path: `${path}/${(await stored(owner)).id}`,
  })
  const update = (by: Actor, path: string, owner: typeof commune | typeof acteur) => async () => {
    const { id } = await stored(owner)
    const row = noted('alerte.update', { titre: alerte.titre }, corrected)
    return {
      by,
      path: `${path}/${id}`,
      body: corrected,
      rows: [{ ...row, entity: 'alerte', entity_id: id }],
    }
  }
  const remove = (by: Actor, path: string, owner: typeof commune | typeof acteur) => async () => {
    const { id } = await stored(owner)
    const row = noted('alerte.delete', expect.objectContaining({ ...alerte, ...owner }), null)
    return { by, path: `${path}/${id}`, rows: [{ ...row, entity: 'alerte', entity_id: id }] }
  }

  const restore = (by: Actor, path: string, owner: typeof commune | typeof acteur) => async () => {
    const { id } = await stored(owner)
    const { row } = (
      await sql<{ row: object }>`
      delete from alertes al where id = ${id} returning to_jsonb(al) as row`.execute(db)
    ).rows[0] ?? { row: {} }
    await keepDeleted(db, owner, [
      { id, kind: 'alerte', label: alerte.titre, detail: null, content: { row, broadcasts: [] } },
    ])
    const after = noted('alerte.restore', null, expect.objectContaining({ ...alerte, ...owner }))
    return { by, path: `${path}/${id}/restore`, rows: [{ ...after, entity: 'alerte', entity_id: id }] }
  }

  const groupPath = `/mairie/communes/${mairie.commune.id}/group-alertes`
  /** An alert of a group for the commune of the mairie. */
  async function ofGroup() {
    const { id: acteur_id } = await makeActeur({ type: 'intercommunalite', valide: true })
    const body = { nom: 'Syndicat', kind: 'autre', acteur_id, commune_ids: [mairie.commune.id] }
    await admin.client.post('/admin/groups', body)
    return (await stored({ acteur_id })).id
  }

  return {
    'GET /mairie/communes/{communeId}/group-alertes': async () => {
      await ofGroup()
      return { by: mayor, path: groupPath }
    },
    'GET /mairie/communes/{communeId}/group-alertes?hidden': async () => ({
      by: mayor,
      path: `${groupPath}?hidden=true`,
    }),
    'PUT /mairie/communes/{communeId}/group-alertes/{id}/hidden': async () => {
      const id = await ofGroup()
      const change = noted('alerte.hide_in_commune', null, commune)
      return {
        by: mayor,
        path: `${groupPath}/${id}/hidden`,
        rows: [{ ...change, entity: 'alerte', entity_id: id }],
      }
    },
    'DELETE /mairie/communes/{communeId}/group-alertes/{id}/hidden': async () => {
      const id = await ofGroup()
      await mayor.client.put(`${groupPath}/${id}/hidden`)
      const change = noted('alerte.show_in_commune', commune, null)
      return {
        by: mayor,
        path: `${groupPath}/${id}/hidden`,
        rows: [{ ...change, entity: 'alerte', entity_id: id }],
      }
    },
    'GET /communes/{communeId}/alertes': async () => ({
      by: reader,
      path: `/communes/${mairie.commune.id}/alertes`,
    }),
    'GET /mairie/communes/{communeId}/alertes': async () => ({ by: mayor, path: ofCommune }),
    'GET /mairie/acteurs/{acteurId}/alertes': async () => ({ by: mayor, path: ofActeur }),
    'POST /mairie/communes/{communeId}/alertes': create(ofCommune, commune),
    'POST /mairie/acteurs/{acteurId}/alertes': create(ofActeur, acteur),
    'GET /mairie/communes/{communeId}/alertes/{id}': read(mayor, ofCommune, commune),
    'GET /mairie/acteurs/{acteurId}/alertes/{id}': read(mayor, ofActeur, acteur),
    'PATCH /mairie/communes/{communeId}/alertes/{id}': update(mayor, ofCommune, commune),
    'PATCH /mairie/acteurs/{acteurId}/alertes/{id}': update(mayor, ofActeur, acteur),
    'DELETE /mairie/communes/{communeId}/alertes/{id}': remove(mayor, ofCommune, commune),
    'DELETE /mairie/acteurs/{acteurId}/alertes/{id}': remove(mayor, ofActeur, acteur),
    'GET /mairie/communes/{communeId}/alertes/deleted': async () => ({
      by: mayor,
      path: `${ofCommune}/deleted`,
    }),
    'GET /mairie/acteurs/{acteurId}/alertes/deleted': async () => ({
      by: mayor,
      path: `${ofActeur}/deleted`,
    }),
    'GET /admin/alertes/deleted': async () => ({ by: admin, path: '/admin/alertes/deleted' }),
    'PATCH /mairie/communes/{communeId}/alertes/{id}/restore': restore(mayor, ofCommune, commune),
    'PATCH /mairie/acteurs/{acteurId}/alertes/{id}/restore': restore(mayor, ofActeur, acteur),
    'PATCH /admin/alertes/{id}/restore': restore(admin, '/admin/alertes', commune),
    'GET /admin/alertes': async () => ({ by: admin, path: '/admin/alertes' }),
    'GET /admin/alertes?filtered': async () => ({
      by: admin,
      path: `/admin/alertes?ids=${nobody}&commune_id=${mairie.commune.id}&niveau=info&en_cours=true`,
    }),
    'GET /admin/alertes/{id}': read(admin, '/admin/alertes', commune),
    'PATCH /admin/alertes/{id}': update(admin, '/admin/alertes', acteur),
    'DELETE /admin/alertes/{id}': remove(admin, '/admin/alertes', acteur),
  }
}
