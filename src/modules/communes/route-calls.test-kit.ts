import { expect } from 'vitest'
import type { Actor, RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { keepDeleted } from '../deletions/deleted.ts'
import { insertSecteur } from './secteurs/queries.ts'

let counter = 0

export function routeCalls({
  db,
  commune,
  admin,
  reader,
  mairie,
  mayor,
  noted,
  personal,
}: Stage): RouteCalls {
  const { id, slug } = mairie.commune
  const read = (path: string) => async () => ({ by: reader, path })
  const stored = () => {
    const nom = `Quartier ${++counter}`
    return insertSecteur(db, { id: uuidv7(), commune_id: id, nom, nom_initial: nom, rues: [], zone: null })
  }
  const restored = async (by: Actor, audience: string, communeId: string) => {
    const row = { id: uuidv7(), cle: 'garde', libelle: 'Gardien', valeur: 'Odile', position: 1 }
    const kept = {
      id: row.id,
      kind: 'info' as const,
      label: 'Gardien',
      detail: null,
      content: { row, at: 0 },
    }
    await keepDeleted(db, { commune_id: communeId }, [kept])
    const changed = { infos: personal }
    return {
      by,
      path: `/${audience}/communes/${communeId}/deleted/${row.id}/restore`,
      rows: [{ ...noted('commune.restore', changed, changed), entity: 'commune', entity_id: communeId }],
    }
  }
  return {
    'GET /communes': read('/communes'),
    'GET /communes?q': read('/communes?q=commune'),
    'GET /communes?code_insee': read('/communes?code_insee=01103'),
    'GET /communes?group_id': read(`/communes?group_id=${id}`),
    'GET /communes/{slug}': read(`/communes/${slug}`),
    'GET /communes/{slug}?id': read(`/communes/${id}`),
    'GET /communes/{id}/elus': read(`/communes/${id}/elus`),
    'GET /communes/{id}/collectes': read(`/communes/${id}/collectes`),
    'GET /communes/{id}/collectes?adresse': read(`/communes/${id}/collectes?adresse=12%20rue%20Haute`),
    'GET /communes/{id}/secteurs': read(`/communes/${id}/secteurs`),
    'GET /communes/{id}/infos': read(`/communes/${id}/infos`),
    'GET /communes/{id}/provenance': read(`/communes/${id}/provenance`),
    'GET /admin/communes': async () => ({ by: admin, path: '/admin/communes?mairie=false' }),
    'GET /admin/communes?q': async () => ({ by: admin, path: '/admin/communes?q=st%20maurice' }),
    'GET /admin/communes?incomplete': async () => ({
      by: admin,
      path: '/admin/communes?incomplete=elus,infos&departement=01',
    }),
    'GET /admin/communes/activity': async () => ({ by: admin, path: '/admin/communes/activity' }),
    'GET /admin/communes/activity?departement': async () => ({
      by: admin,
      path: '/admin/communes/activity?departement=01&messages=false&sort=subscribers_desc',
    }),
    'POST /admin/communes/collectes/preview': async () => ({
      by: admin,
      path: '/admin/communes/collectes/preview',
      body: { commune_id: id, jours: ['mardi'], exceptions: [{ date: '2026-12-25', reportee_au: null }] },
    }),
    'GET /mairie/communes/{communeId}': async () => ({ by: mayor, path: `/mairie/communes/${id}` }),
    'PATCH /mairie/communes/{communeId}': async () => {
      const libelle = `Bac jaune ${++counter}`
      const collectes = [{ type_dechet: 'emballages', libelle, mode: 'porte_a_porte', jours: ['mardi'] }]
      const changed = { collectes: expect.any(Array) }
      return {
        by: mayor,
        path: `/mairie/communes/${id}`,
        body: { collectes },
        rows: [{ ...noted('commune.update', changed, changed), entity: 'commune', entity_id: id }],
      }
    },
    'GET /mairie/communes/{communeId}/deleted': async () => ({
      by: mayor,
      path: `/mairie/communes/${id}/deleted`,
    }),
    'GET /admin/communes/{id}/deleted': async () => ({
      by: admin,
      path: `/admin/communes/${id}/deleted`,
    }),
    'PATCH /mairie/communes/{communeId}/deleted/{id}/restore': async () => restored(mayor, 'mairie', id),
    'PATCH /admin/communes/{communeId}/deleted/{id}/restore': async () =>
      restored(admin, 'admin', (await commune()).id),
    'POST /mairie/communes/{communeId}/collectes/preview': async () => ({
      by: mayor,
      path: `/mairie/communes/${id}/collectes/preview`,
      body: { jours: ['mardi'], exceptions: [{ date: '2026-12-25', reportee_au: null }] },
    }),
    'GET /mairie/communes/{communeId}/secteurs': async () => ({
      by: mayor,
      path: `/mairie/communes/${id}/secteurs`,
    }),
    'GET /mairie/communes/{communeId}/secteurs/{id}': async () => ({
      by: mayor,
      path: `/mairie/communes/${id}/secteurs/${(await stored()).id}`,
    }),
    'POST /mairie/communes/{communeId}/secteurs/addresses': async () => {
      const ring = [
        [5.9, 45.5],
        [5.95, 45.5],
        [5.95, 45.6],
        [5.9, 45.5],
      ]
      return {
        by: mayor,
        path: `/mairie/communes/${id}/secteurs/addresses`,
        body: { zone: { type: 'Polygon', coordinates: [ring] } },
      }
    },
    'POST /mairie/communes/{communeId}/secteurs': async () => {
      const body = { nom: `Quartier ${++counter}`, rues: [{ rue: 'Rue Haute', cote: 'pair' }] }
      const after = expect.objectContaining({ nom: body.nom, rues: ['Rue Haute : pair'] })
      return {
        by: mayor,
        path: `/mairie/communes/${id}/secteurs`,
        body,
        rows: [{ ...noted('secteur.create', null, after), entity: 'secteur' }],
      }
    },
    'PATCH /mairie/communes/{communeId}/secteurs/{id}': async () => {
      const secteur = await stored()
      const changed = noted('secteur.update', { rues: [] }, { rues: ['Rue Haute'] })
      return {
        by: mayor,
        path: `/mairie/communes/${id}/secteurs/${secteur.id}`,
        body: { rues: [{ rue: 'Rue Haute' }] },
        rows: [{ ...changed, entity: 'secteur', entity_id: secteur.id }],
      }
    },
    'DELETE /mairie/communes/{communeId}/secteurs/{id}': async () => {
      const secteur = await stored()
      const before = expect.objectContaining({ nom: secteur.nom })
      return {
        by: mayor,
        path: `/mairie/communes/${id}/secteurs/${secteur.id}`,
        rows: [{ ...noted('secteur.delete', before, null), entity: 'secteur', entity_id: secteur.id }],
      }
    },
    'GET /admin/communes/{id}/full': async () => ({ by: admin, path: `/admin/communes/${id}/full` }),
    'POST /admin/communes': async () => {
      const after = expect.objectContaining({ nom: 'Neuve', code_insee: '98001' })
      return {
        by: admin,
        path: '/admin/communes',
        body: { nom: 'Neuve', code_insee: '98001', codes_postaux: [], departement: '98', region: '98' },
        rows: [{ ...noted('commune.create', null, after), entity: 'commune' }],
      }
    },
    'PATCH /admin/communes/{id}': async () => {
      const { id } = await commune({ nom: 'Vieille' })
      const elus = [{ nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }]
      const infos = [{ cle: 'garde', libelle: 'Gardien', valeur: 'Chez Odile Vauquelin' }]
      const row = noted(
        'commune.update',
        { nom: 'Vieille', elus: personal, infos: personal },
        { nom: 'Neuve', elus: personal, infos: personal },
      )
      return {
        by: admin,
        path: `/admin/communes/${id}`,
        body: { nom: 'Neuve', elus, infos },
        rows: [{ ...row, entity: 'commune', entity_id: id }],
      }
    },
  }
}
