import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isOfUser, type Person, type Personal, rowsOf } from '../../platform/personal.ts'
import { contentNames, namesIn } from './fields.ts'
import { isReplaced } from './history.ts'

type WithId = { id: string }

/**
 * Publications the person wrote for acteurs. They belong to the acteur and stay; after an erasure the author
 * is a number.
 */
export const publicationsOfPerson: Personal = {
  name: 'publications',
  title: { en: 'Publications they wrote', fr: 'Publications écrites' },
  erasure: {
    en: 'Stay: they belong to the organisation and are public. Their author becomes a number. Check the texts for names.',
    fr: 'Restent : elles appartiennent à l’acteur et sont publiques. Leur auteur devient un numéro. Vérifiez les noms dans les textes.',
  },
  kind: 'publication',
  find: ({ userIds }) => sql`
    select id::text as id, id as record_id, title as label
    from publications where created_by = any(${userIds}::uuid[])`,
  read: rowsOf(
    'publications',
    columnList([
      ...['acteur_id', 'commune_id', ...contentNames, 'epingle', 'moderation_status', 'moderation_reason'],
      ...['publie_le', 'created_at', 'updated_at', 'deleted_at'],
    ]),
    isOfUser('created_by'),
  ),
}

/** Versions the person wrote. An erasure deletes them, except the newest, which is the current text. */
export const versionsOfPerson: Personal = {
  name: 'publication_versions',
  title: { en: 'Texts of publications they wrote', fr: 'Textes de publications écrits' },
  erasure: {
    en: 'Earlier texts are deleted; the current one stays with the publication.',
    fr: 'Les textes antérieurs sont supprimés ; le texte actuel reste avec la publication.',
  },
  kind: 'publication',
  find: ({ userIds }) => sql`
    select id::text as id, publication_id as record_id, title as label
    from publication_versions where written_by = any(${userIds}::uuid[])`,
  read: rowsOf(
    'publication_versions',
    columnList(['publication_id', ...namesIn('versions'), 'written_at', 'how']),
    isOfUser('written_by'),
  ),
  erase: async (tx, { userIds }) => {
    const { rows } = await sql<WithId>`
      delete from publication_versions v where v.written_by = any(${userIds}::uuid[]) and ${isReplaced}
      returning v.id`.execute(tx)
    return rows.map(({ id }) => id)
  },
}

const isTheirs = ({ userIds }: Person) => sql<boolean>`
  caller_key = any(${userIds.map((id) => `user ${id}`)}::text[])`

/** Reports made while signed in: anonymous ones cannot be attributed. */
export const reportsOfPerson: Personal = {
  name: 'reports',
  title: { en: 'Reports of publications', fr: 'Signalements de publications' },
  erasure: {
    en: 'Their text is deleted; the report and its category stay with the publication.',
    fr: 'Leur texte est supprimé ; le signalement et sa catégorie restent avec la publication.',
  },
  kind: 'publication',
  find: (person) => sql`
    select r.id::text as id, p.id as record_id, p.title as label
    from publication_reports r join publications p on p.id = r.publication_id where ${isTheirs(person)}`,
  read: rowsOf(
    'publication_reports',
    sql`publication_id, category, reason, message, created_at, closed_at`,
    isTheirs,
  ),
  erase: eraseReports,
}

/** Deletes the free text; the report and its category stay with the publication. */
async function eraseReports(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<WithId>`
    update publication_reports set reason = null, message = null
    where ${isTheirs(person)} and num_nonnulls(reason, message) > 0
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}
