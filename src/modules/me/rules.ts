import { sql } from 'kysely'
import { opens } from '../../platform/access/areas.ts'
import type { Database } from '../../platform/database/connect.ts'
import { raise, unauthenticated } from '../../platform/errors.ts'
import { areMailsDelayed } from '../../platform/mail/transports.ts'
import type { Deps } from '../../platform/module.ts'
import { deedsOf } from '../espace/can.ts'
import { listInvitations } from '../espace/invitations/queries.ts'
import type { Me } from './schema.ts'

/** Describes the signed-in user: the areas that their roles open, and what they may do for each of their acteurs. */
export async function readMe(
  { reads, modules, config }: Pick<Deps, 'reads' | 'modules' | 'config'>,
  userId: string,
): Promise<Me> {
  const all = modules.flatMap(({ routes }) => routes?.admin?.area ?? [])
  const areas = [...new Set(all)].sort()
  const [{ acteurs, ...me }, invitations, mails_delayed] = await Promise.all([
    getMe(reads, userId),
    listInvitations(reads, userId),
    areMailsDelayed(reads),
  ])
  const memberships = acteurs.map(({ acteur_id, role, permissions }) => ({
    acteurId: acteur_id,
    role,
    permissions,
  }))
  const user = { id: me.id, roles: me.roles, memberships }
  return {
    ...me,
    areas: areas.filter((area) => opens(me.roles, area)),
    mail: config.mail.url === null ? 'files' : 'smtp',
    mails_delayed,
    // Elsewhere each instance may have another folder.
    outbox:
      config.mail.url === null && config.databaseUrl === null && opens(me.roles, 'system')
        ? config.mail.outboxDir
        : null,
    acteurs: acteurs.map((acteur) => ({
      ...acteur,
      can: deedsOf(user, { ...acteur, id: acteur.acteur_id }),
    })),
    invitations,
  }
}

type Stored = Omit<Me, 'areas' | 'acteurs' | 'invitations' | 'mail' | 'mails_delayed' | 'outbox'> & {
  acteurs: Omit<Me['acteurs'][number], 'can'>[]
}

const commune = sql`json_build_object('id', c.id, 'slug', c.slug, 'nom', c.nom)`

/** Reads the user; 401 if the user was erased after the token was checked. */
async function getMe(db: Database, userId: string): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select id, email, email_verified, nom, langue, acceptance_mails,
      json_build_object('daily', exists (select from digests d where d.user_id = users.id and d.daily)) as digest,
      array(select role from user_roles where user_id = users.id order by role) as roles,
      coalesce((
        select json_agg(json_build_object(
          'acteur_id', a.id, 'nom', a.nom, 'slug', a.slug, 'type', a.type, 'role', m.role,
          'permissions', m.permissions, 'can_publish', a.can_publish, 'valide', a.valide, 'active', a.active,
          'commune', (select ${commune} from communes c where c.id = a.commune_id),
          'mairie_of', coalesce((
            select json_agg(${commune} order by c.sort_name, c.id)
            from communes c where c.mairie_actor_id = a.id), '[]'),
          'groups', coalesce((
            select json_agg(json_build_object('id', g.id, 'slug', g.slug, 'nom', g.nom) order by g.sort_name, g.id)
            from groups g where g.acteur_id = a.id), '[]')) order by a.search_text, a.id)
        from actor_users m join acteurs a on a.id = m.acteur_id
        where m.user_id = users.id and a.deleted_at is null), '[]') as acteurs
    from users where id = ${userId}`.execute(db)
  return rows[0] ?? raise(unauthenticated())
}
