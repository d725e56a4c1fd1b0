import { sql } from 'kysely'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertAlerte, type Owner } from '../alertes/queries.ts'

export function routeCalls({ db, mairie, mayor, noted }: Stage): RouteCalls {
  /** Sends an alert that one subscriber perhaps did not get again. */
  const resend = async (path: string, owner: Owner) => {
    const alerte = {
      id: uuidv7(),
      titre: 'Coupure d’eau',
      message: 'Jeudi matin.',
      niveau: 'info' as const,
    }
    const { id } = await insertAlerte(db, { ...alerte, ...owner })
    const [broadcast, subscriber] = [uuidv7(), uuidv7()]
    await sql`
      insert into broadcasts (id, kind, alerte_id, status, ended_at, recipients, uncertain)
      values (${broadcast}, 'alerte', ${id}, 'ended', now(), 1, 1)`.execute(db)
    await sql`
      insert into resident_subscribers (id, channel, address, address_digest, key_id)
      values (${subscriber}, 'email', ${Buffer.alloc(40)}, ${Buffer.from(`${subscriber}`.slice(-32))}, 'none')`.execute(
      db,
    )
    await sql`
      insert into broadcast_deliveries (broadcast_id, subscriber_id, channel, status)
      values (${broadcast}, ${subscriber}, 'email', 'uncertain')`.execute(db)
    const row = noted('notification.resend', null, { kind: 'alerte', count: 1 })
    return {
      by: mayor,
      path: `${path}/alertes/${id}/resend`,
      rows: [{ ...row, entity: 'alerte', entity_id: id }],
    }
  }
  const ofCommune = `/mairie/communes/${mairie.commune.id}`
  const ofActeur = `/mairie/acteurs/${mairie.hall.id}`
  return {
    'GET /mairie/communes/{communeId}/reach': async () => ({ by: mayor, path: `${ofCommune}/reach` }),
    'GET /mairie/acteurs/{acteurId}/reach': async () => ({ by: mayor, path: `${ofActeur}/reach` }),
    'GET /mairie/acteurs/{acteurId}/reach?communes': async () => ({
      by: mayor,
      path: `${ofActeur}/reach?commune_ids=${mairie.commune.id}`,
    }),
    'POST /mairie/communes/{communeId}/alertes/{id}/resend': () =>
      resend(ofCommune, { commune_id: mairie.commune.id }),
    'POST /mairie/acteurs/{acteurId}/alertes/{id}/resend': () =>
      resend(ofActeur, { acteur_id: mairie.hall.id }),
  }
}
