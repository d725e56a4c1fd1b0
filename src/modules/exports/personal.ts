import { sql } from 'kysely'
import { type Personal, rowsOf } from '../../platform/personal.ts'

type Row = { id: string }

/**
 * Links that the person has created and not used. An erasure deletes everybody's: their filters may name the
 * person, and a colleague who clicked a moment ago clicks again.
 */
export const linksOfPerson: Personal = {
  name: 'export_links',
  title: {
    en: 'Unused download addresses of lists',
    fr: 'Adresses de téléchargement de listes non utilisées',
  },
  erasure: {
    en: 'Are deleted, with those of colleagues, because their filters may name the person.',
    fr: 'Sont supprimées, avec celles des collègues, car leurs filtres peuvent nommer la personne.',
  },
  kind: null,
  find: ({ userIds }) => sql`
    select id::text as id, null::uuid as record_id, list as label
    from export_links where user_id = any(${userIds}::uuid[])`,
  read: rowsOf('export_links', sql`list, query, created_at, expires_at`),
  erase: async (tx) => {
    const { rows } = await sql<Row>`delete from export_links returning id`.execute(tx)
    return rows.map(({ id }) => id)
  },
}
