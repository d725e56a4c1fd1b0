import type { Database } from '../database/connect.ts'
import { scopeViolation } from '../errors.ts'

/** The application a request comes from: a filter of content, not a security boundary. */
export type AppSource = {
  code: string
  /** Null: everything public; otherwise only the publications of these communes. */
  communeIds: string[] | null
}

/** An unknown code counts as `public`; an inactive one is refused. */
export async function findAppSource(db: Database, code: string): Promise<AppSource> {
  const rows = await db
    .selectFrom('app_sources')
    .select(['code', 'commune_ids', 'active'])
    .where('code', 'in', [code.toLowerCase(), 'public'])
    .execute()
  const source = rows.find((row) => row.code !== 'public') ?? rows[0]
  if (source === undefined || !source.active) throw scopeViolation()
  return { code: source.code, communeIds: source.commune_ids }
}
