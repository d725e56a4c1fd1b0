import { sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import { beginsName } from '../../platform/database/search.ts'
import { beginsManyWords, maxFound, type SearchSource, type Way } from '../../platform/search-source.ts'
import { conditionsOf, defaultOrder } from './search.ts'

/** Finds communes, the larger ones first. */
export const communesSearchSource: SearchSource = {
  kind: 'commune',
  shown: sql`
    select c.nom as label, c.code_insee as detail from communes c where c.id = found.id`,
  ways: (q) => {
    const code = q.toUpperCase()
    const isCode = /^[0-9][0-9AB][0-9]{3}$/.test(code)
    return [...(isCode ? [withCode(code), withPostalCode(code)] : []), named(q)]
  },
}

/** Resolves the code of a former commune to the present one. */
const withCode = (code: string): Way => ({
  ids: sql`
    select id from communes where code_insee = ${code}
    union all select commune_id from commune_aliases where code_insee = ${code}`,
  exact: true,
})

const withPostalCode = (code: string): Way => ({
  ids: sql`
    select id from communes where search_text like ${`% ${code}%`}
    order by population desc nulls last, id limit ${sql.lit(maxFound)}`,
  exact: true,
})

const named = (q: string): Way => ({
  ids: beginsManyWords(q)
    ? sql`
        select id from communes where ${beginsName(sql`sort_name`, q)}
        order by population desc nulls last, id limit ${sql.lit(maxFound)}`
    : sql`
        select id from communes where ${allOf(...conditionsOf({ q }, 'exact'))}
        order by ${defaultOrder({ q })} limit ${sql.lit(maxFound)}`,
})
