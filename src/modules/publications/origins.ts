import { sql } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { originFinder } from '../domains/proven.ts'

type Places = { id: string; commune_ids: string[]; group_ids: string[] }

/**
 * Returns what finds the origin of the site in a mail about these publications: that of the domain of their communes, or of
 * the group for which they are published, else that of the platform.
 */
export async function originsOf(
  db: Database,
  config: Pick<Config, 'hasSite' | 'publicSiteUrl' | 'publicUrl'>,
  publicationIds: readonly string[],
): Promise<(publicationId: string) => string> {
  const originOf = await originFinder(db, config)
  const { rows } = await sql<Places>`
    select p.id, array(select place.commune_id from publication_places place where place.publication_id = p.id) as commune_ids,
      array(select g.id from groups g where g.acteur_id = p.acteur_id order by g.id) as group_ids
    from publications p where p.id = any(${publicationIds}::uuid[])`.execute(db)
  const origins = new Map(
    rows.map(({ id, commune_ids, group_ids }) => [id, originOf(commune_ids, group_ids)]),
  )
  return (id) => origins.get(id) ?? originOf([])
}
