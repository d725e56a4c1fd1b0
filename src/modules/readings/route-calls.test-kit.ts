import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

export function routeCalls({ admin, db, author, club, mairie, mayor }: Stage): RouteCalls {
  return {
    'GET /admin/publications/{id}/readings': async () => {
      const { id } = await insertPublication({ db }, {})
      return { by: admin, path: `/admin/publications/${id}/readings` }
    },
    'GET /me/acteurs/{acteurId}/readings': async () => ({
      by: mayor,
      path: `/me/acteurs/${mairie.hall.id}/readings`,
    }),
    'GET /me/acteurs/{acteurId}/readings?publication': async () => {
      const { id } = await insertPublication({ db }, { acteur_id: club.id })
      return { by: author, path: `/me/acteurs/${club.id}/readings?publication_id=${id}` }
    },
  }
}
