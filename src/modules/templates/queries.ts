import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { type StoredTemplate, storedTemplate, type TemplateCreate, type TemplateKind } from './schema.ts'

/** Lists the templates of a kind by name. They are few, so there is no pagination. */
export async function listTemplates(db: Database, kind: TemplateKind): Promise<StoredTemplate[]> {
  const { rows } = await sql<StoredTemplate>`
    select ${columnList(storedTemplate)} from reply_templates
    where kind = ${kind} and deleted_at is null order by lower(name), id limit 500`.execute(db)
  return rows
}

export async function getTemplate(db: Database, id: string): Promise<StoredTemplate> {
  const { rows } = await sql<StoredTemplate>`
    select ${columnList(storedTemplate)} from reply_templates
    where id = ${id} and deleted_at is null`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks a template until the transaction ends; 404 if it does not exist. */
export async function getTemplateForUpdate(tx: Database, id: string): Promise<StoredTemplate> {
  const { rows } = await sql<StoredTemplate>`
    select ${columnList(storedTemplate)} from reply_templates
    where id = ${id} and deleted_at is null for no key update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function insertTemplate(
  tx: Database,
  values: TemplateCreate & { id: string },
): Promise<StoredTemplate> {
  await tx.insertInto('reply_templates').values(values).execute()
  return getTemplate(tx, values.id)
}

export type TemplateValues = Partial<Pick<StoredTemplate, 'name' | 'body'>> & { deleted_at?: Date }

export async function updateTemplate(
  tx: Database,
  id: string,
  values: TemplateValues,
): Promise<StoredTemplate> {
  const { rows } = await sql<StoredTemplate>`
    update reply_templates set ${sql.join(
      Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    )}
    where id = ${id} returning ${columnList(storedTemplate)}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export type Placeholders = { titre: string | null; acteur: string | null; nom: string | null }

const placeholderQueries: Record<TemplateKind, (id: string) => ReturnType<typeof sql<Placeholders>>> = {
  rejection: (id) => sql<Placeholders>`
    select p.title as titre, a.nom as acteur, u.nom as nom
    from publications p left join acteurs a on a.id = p.acteur_id left join users u on u.id = p.created_by
    where p.id = ${id}`,
  claim: (id) => sql<Placeholders>`
    select null as titre, a.nom as acteur, c.nom as nom
    from claims c join acteurs a on a.id = c.acteur_id where c.id = ${id}`,
  reply: (id) => sql<Placeholders>`
    select t.subject as titre, null as acteur, t.nom as nom from support_threads t where t.id = ${id}`,
}

/** Reads the values of the placeholders from the record; 404 if it does not exist. */
export async function getPlaceholders(db: Database, kind: TemplateKind, id: string): Promise<Placeholders> {
  const { rows } = await placeholderQueries[kind](id).execute(db)
  return rows[0] ?? raise(notFound())
}
