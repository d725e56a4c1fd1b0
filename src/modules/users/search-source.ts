import { sql } from 'kysely'
import { foldedEmail } from '../../platform/access/users.ts'
import { beginsName } from '../../platform/database/search.ts'
import { foldMailAddress } from '../../platform/formats/mail-address.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'

export const usersSearchSource: SearchSource = {
  kind: 'user',
  // An erased account has nothing to show.
  shown: sql`
    select coalesce(u.nom, u.email, '') as label, case when u.nom is not null then u.email end as detail
    from users u where u.id = found.id and u.erased_at is null`,
  ways: (q) => [
    {
      ids: sql`
        select id from users where ${foldedEmail} = ${foldMailAddress(q)}
        order by id limit ${sql.lit(maxFound)}`,
      exact: true,
    },
    {
      ids: sql`
        select id from users where ${beginsName(sql`search_key(nom) collate "C"`, q)}
        order by search_key(nom) collate "C", id limit ${sql.lit(maxFound)}`,
    },
    ...byWord('users', q),
  ],
}
