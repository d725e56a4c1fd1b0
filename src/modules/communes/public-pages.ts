import { sql } from 'kysely'

/** True for a page `g` of a commune that the public sees: a published one that does not stand below a draft. */
export const isPublicPage = sql<boolean>`(g.status = 'published' and (g.parent_id is null or exists (
  select from commune_pages above where above.id = g.parent_id and above.status = 'published')))`
