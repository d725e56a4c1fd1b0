import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

const alerte = { titre: 'Coupure d’eau', message: 'Jeudi matin.', niveau: 'info' }

export function routeCalls({ mairie, mayor, reader, noted }: Stage): RouteCalls {
  const ofCommune = `/mairie/communes/${mairie.commune.id}/alertes`
  const ofActeur = `/mairie/acteurs/${mairie.hall.id}/alertes`
  const create = (path: string, owner: object) => async () => {
    const after = expect.objectContaining({ ...alerte, ...owner })
    return {
      by: mayor,
      path,
      body: alerte,
      rows: [{ ...noted('alerte.create', null, after), entity: 'alerte' }],
    }
  }
  return {
    'GET /communes/{communeId}/alertes': async () => ({
      by: reader,
      path: `/communes/${mairie.commune.id}/alertes`,
    }),
    'GET /mairie/communes/{communeId}/alertes': async () => ({ by: mayor, path: ofCommune }),
    'GET /mairie/acteurs/{acteurId}/alertes': async () => ({ by: mayor, path: ofActeur }),
    'POST /mairie/communes/{communeId}/alertes': create(ofCommune, { commune_id: mairie.commune.id }),
    'POST /mairie/acteurs/{acteurId}/alertes': create(ofActeur, { acteur_id: mairie.hall.id }),
  }
}
