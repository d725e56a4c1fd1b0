import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { insertDefibrillateur } from './defibrillateurs.test-kit.ts'

export function routeCalls({
  admin,
  commune,
  db,
  mairie,
  noted,
  personal,
  reader,
  secret,
}: Stage): RouteCalls {
  const { id: communeId } = mairie.commune
  const read = (path: string) => async () => ({ by: reader, path })
  const managed = (path: string) => async () => ({ by: admin, path })
  const update = (path: string, level: string) => async () => {
    const { id } = await insertDefibrillateur(db)
    const statut = `statut_admin_${level}`
    const note = `note_${level}`
    const row = noted(
      'defibrillateur.update',
      { [statut]: 'actif', [note]: null },
      { [statut]: 'masque', [note]: personal },
    )
    return {
      by: admin,
      path: `${path}/${id}`,
      body: { statut_admin: 'masque', note: secret },
      rows: [{ entity: 'defibrillateur', entity_id: id, ...row }],
    }
  }
  /** Deletes all syncs first, so that a new one can start. */
  const sync = (path: (communeId: string) => string, isOfCommune: boolean) => async () => {
    await db.deleteFrom('defibrillateur_syncs').execute()
    const { id } = await commune()
    const after = { accept_fall: false, ...(isOfCommune && { commune_id: id }) }
    const row = noted('defibrillateur_sync.create', null, expect.objectContaining(after))
    return { by: admin, path: path(id), rows: [{ entity: 'defibrillateur_sync', ...row }] }
  }
  return {
    'GET /communes/{id}/defibrillateurs': read(`/communes/${communeId}/defibrillateurs`),
    'GET /defibrillateurs': read('/defibrillateurs'),
    'GET /defibrillateurs?q': read('/defibrillateurs?q=mairie%2073000&code_insee=73065'),
    'GET /defibrillateurs?lat': read('/defibrillateurs?lat=45.5&lon=5.9&ouvert=true'),
    'GET /admin/communes/{id}/defibrillateurs': managed(`/admin/communes/${communeId}/defibrillateurs`),
    'GET /admin/defibrillateurs-france': managed('/admin/defibrillateurs-france'),
    'GET /admin/defibrillateurs-france?q': managed(
      '/admin/defibrillateurs-france?q=mairie&statut_admin=masque,a_verifier&absent=false',
    ),
    'GET /admin/defibrillateurs-france/{id}': async () => {
      const { id } = await insertDefibrillateur(db)
      return { by: admin, path: `/admin/defibrillateurs-france/${id}` }
    },
    'GET /admin/defibrillateurs-france/map': managed(
      '/admin/defibrillateurs-france/map?bbox=-5.5,41,10,51.5&zoom=5&statut_admin=actif&absent=false',
    ),
    'GET /admin/defibrillateurs-france/map?q': managed(
      '/admin/defibrillateurs-france/map?bbox=-5.5,41,10,51.5&zoom=5&q=mairie',
    ),
    'GET /admin/defibrillateurs-france/map?points': managed(
      '/admin/defibrillateurs-france/map?bbox=4,45,4.1,45.1&zoom=15',
    ),
    'PATCH /admin/defibrillateurs-france/bulk': async () => {
      const { id } = await insertDefibrillateur(db)
      const row = noted(
        'defibrillateur.update',
        { statut_admin_france: 'actif', note_france: null },
        { statut_admin_france: 'masque', note_france: personal },
      )
      return {
        by: admin,
        path: '/admin/defibrillateurs-france/bulk',
        body: { ids: [id], statut_admin: 'masque', note: secret },
        rows: [{ entity: 'defibrillateur', entity_id: id, ...row }],
      }
    },
    'GET /admin/defibrillateurs-france/syncs': managed('/admin/defibrillateurs-france/syncs'),
    'PATCH /admin/defibrillateurs/{id}': update('/admin/defibrillateurs', 'commune'),
    'PATCH /admin/defibrillateurs-france/{id}': update('/admin/defibrillateurs-france', 'france'),
    'POST /admin/communes/{id}/defibrillateurs/sync': sync(
      (id) => `/admin/communes/${id}/defibrillateurs/sync`,
      true,
    ),
    'POST /admin/defibrillateurs-france/sync': sync(() => '/admin/defibrillateurs-france/sync', false),
  }
}
