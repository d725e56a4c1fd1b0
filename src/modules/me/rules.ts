import { sql } from 'kysely'
import { opens } from '../../platform/access/areas.ts'
import type { Database } from '../../platform/database/connect.ts'
import { raise, unauthenticated } from '../../platform/errors.ts'
import type { Module } from '../../platform/module.ts'
import type { Me } from './schema.ts'

/** Describes the signed-in user, with the areas that their roles open. */
export async function readMe(db: Database, modules: readonly Module[], userId: string): Promise<Me> {
  const all = modules.flatMap(({ routes }) => routes?.admin?.area ?? [])
  const areas = [...new Set(all)].sort()
  const me = await getMe(db, userId)
  return { ...me, areas: areas.filter((area) => opens(me.roles, area)) }
}

/** Reads the user; 401 if the user was erased after the token was checked. */
async function getMe(db: Database, userId: string): Promise<Omit<Me, 'areas'>> {
  const { rows } = await sql<Omit<Me, 'areas'>>`
    select id, email, email_verified, nom, langue,
      json_build_object('daily', exists (select from digests d where d.user_id = users.id and d.daily)) as digest,
      array(select role from user_roles where user_id = users.id order by role) as roles,
      coalesce((
        select json_agg(json_build_object(
          'acteur_id', a.id, 'nom', a.nom, 'slug', a.slug, 'type', a.type, 'role', m.role,
          'permissions', m.permissions, 'can_publish', a.can_publish,
          'mairie_of', coalesce((
            select json_agg(json_build_object('id', c.id, 'slug', c.slug, 'nom', c.nom) order by c.sort_name, c.id)
            from communes c where c.mairie_actor_id = a.id), '[]')) order by a.search_text, a.id)
        from actor_users m join acteurs a on a.id = m.acteur_id
        where m.user_id = users.id and a.deleted_at is null), '[]') as acteurs
    from users where id = ${userId}`.execute(db)
  return rows[0] ?? raise(unauthenticated())
}
