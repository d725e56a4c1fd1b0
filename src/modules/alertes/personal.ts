import { sql } from 'kysely'
import { afterId, findByUser, inPages, type Personal } from '../../platform/personal.ts'

type OwnAlerte = { id: string }

/** Alerts that the person wrote for a mairie. They belong to the mairie and are not deleted. */
export const alertesOfPerson: Personal = {
  name: 'alertes',
  title: { en: 'Alerts they wrote', fr: 'Alertes écrites' },
  erasure: {
    en: 'Stay: they belong to the mairie. Their author becomes a number.',
    fr: 'Restent : elles appartiennent à la mairie. Leur auteur devient un numéro.',
  },
  kind: null,
  find: findByUser('alertes', { user: 'created_by' }),
  read: (db, { userIds }) =>
    inPages<OwnAlerte>(async (last, limit) => {
      const { rows } = await sql<OwnAlerte>`
        select id, commune_id, acteur_id, titre, message, niveau, debut, fin, created_at
        from alertes where created_by = any(${userIds}::uuid[]) and id > ${afterId(last)}
        order by id limit ${limit}`.execute(db)
      return rows
    }),
}
