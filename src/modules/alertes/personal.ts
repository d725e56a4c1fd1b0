import { sql } from 'kysely'
import { findByUser, isOfUser, type Personal, rowsOf } from '../../platform/personal.ts'

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
  read: rowsOf(
    'alertes',
    sql`commune_id, acteur_id, titre, message, niveau, debut, fin, created_at`,
    isOfUser('created_by'),
  ),
}
