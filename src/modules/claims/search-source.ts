import { sql } from 'kysely'
import { foldedEmail } from '../../platform/access/users.ts'
import { acteursNamed, beginsWords, newestWith } from '../../platform/database/search.ts'
import { foldMailAddress } from '../../platform/formats/mail-address.ts'
import { maxFound, type SearchSource } from '../../platform/search-source.ts'
import { readReference } from './reference.ts'

export const claimsSearchSource: SearchSource = {
  kind: 'claim',
  shown: sql`
    select coalesce((select a.nom from acteurs a where a.id = c.acteur_id), '') as label,
      coalesce(c.nom, c.email) as detail
    from claims c where c.id = found.id`,
  ways: (q) => [
    { ids: sql`select id from claims where reference = ${readReference(q)}`, exact: true },
    {
      ids: sql`
        select id from claims where email is not null and ${foldedEmail} = ${foldMailAddress(q)}
        order by created_at desc, id desc limit ${sql.lit(maxFound)}`,
      exact: true,
    },
    {
      ids: newestWith({
        table: 'claims',
        time: 'created_at',
        matches: beginsWords(sql`r.search`, q),
        limit: maxFound,
      }),
    },
    {
      ids: sql`
        select id from claims where acteur_id = any(array(${acteursNamed(q, 20)}))
        order by created_at desc, id desc limit ${sql.lit(maxFound)}`,
    },
  ],
}
