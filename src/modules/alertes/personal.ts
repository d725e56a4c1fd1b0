import { sql } from 'kysely'
import { afterId, inPages, type Personal } from '../../platform/personal.ts'

type OwnAlerte = { id: string }

/** Alerts that the person wrote for a mairie. They belong to the mairie and are not deleted. */
export const alertesOfPerson: Personal = {
  name: 'alertes',
  read: (db, { userIds }) =>
    inPages<OwnAlerte>(async (last, limit) => {
      const { rows } = await sql<OwnAlerte>`
        select id, commune_id, acteur_id, titre, message, niveau, debut, fin, created_at
        from alertes where created_by = any(${userIds}::uuid[]) and id > ${afterId(last)}
        order by id limit ${limit}`.execute(db)
      return rows
    }),
}
