import { sql } from 'kysely'
import { beginsName } from '../../platform/database/search.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'

export const defibrillateursSearchSource: SearchSource = {
  kind: 'defibrillateur',
  shown: sql`
    select coalesce(d.nom, d.adresse, d.gid) as label, d.commune_nom as detail
    from defibrillateurs d where d.id = found.id`,
  ways: (q) => [
    { ids: sql`select id from defibrillateurs where gid = ${q}`, exact: true },
    {
      ids: sql`
        select id from defibrillateurs where ${beginsName(sql`sort_name`, q)}
        order by sort_name, id limit ${sql.lit(maxFound)}`,
    },
    ...byWord('defibrillateurs', q),
  ],
}
