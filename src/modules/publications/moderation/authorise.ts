import { type RawBuilder, sql } from 'kysely'
import { opens } from '../../../platform/access/areas.ts'
import type { SignedIn, User } from '../../../platform/access/caller.ts'
import { isMember, rightOver } from '../../../platform/access/rights.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forbidden, notFound, raise, scopeViolation } from '../../../platform/errors.ts'
import type { ModerationStatus } from '../schema.ts'
import { inScope, visible } from '../visibility.ts'

/** By which route a decision comes. */
export type Place = 'admin' | 'bearer' | 'mairie'

type Decided = { id: string; acteur_id: string | null; decided_centrally: boolean }

/** Administrators and moderators decide everywhere, and finally. */
export const isCentral = (user: User): boolean => opens(user.roles, 'publications')

/**
 * Content that a mairie may supervise, over `publications p`: attached solely to communes that name this mairie, by
 * an acteur that is no mairie itself.
 */
export const supervisedBy = (mairieId: RawBuilder<string>): RawBuilder<boolean> => sql<boolean>`(
  p.acteur_id is not null
  and not exists (select from communes c where c.mairie_actor_id = p.acteur_id)
  and exists (select from publication_communes pc where pc.publication_id = p.id)
  and not exists (
    select from publication_communes pc join communes c on c.id = pc.commune_id
    where pc.publication_id = p.id and c.mairie_actor_id is distinct from ${mairieId}))`

/**
 * A mairie decides on its own content and on what it supervises, and reverses nothing that was decided centrally. Who
 * may see the publication is told that they may not decide; who may not, that there is none.
 */
export async function requireMayModerate(
  tx: Database,
  { user, source }: SignedIn,
  publication: Decided,
  status: ModerationStatus,
  place: Exclude<Place, 'admin'>,
  mairieActeurId: string | null,
): Promise<void> {
  const communeIds = source?.communeIds ?? null
  const central = isCentral(user)
  if (central && communeIds === null) return
  const { seen, in_scope, mairies } = await findReach(tx, user, publication.id, communeIds, mairieActeurId)
  const { acteur_id, decided_centrally } = publication
  const maySee = central || seen || mairies.length > 0 || (acteur_id !== null && isMember(user, acteur_id))
  if (!maySee) throw notFound()
  if (!in_scope) throw scopeViolation()
  const publishes = status === 'approved' || status === 'published'
  const mayDecide = mairies.some(
    ({ id, can_publish }) =>
      rightOver(user, id, ['publish_publications']) === 'allowed' && (can_publish || !publishes),
  )
  if (central || (mayDecide && !decided_centrally)) return
  throw place === 'mairie' ? scopeViolation() : forbidden()
}

type Reach = { seen: boolean; in_scope: boolean; mairies: { id: string; can_publish: boolean }[] }

/**
 * Whether anybody may see it, whether the application shows its communes, and which of the user's mairies (in a
 * mairie's route: that one) it concerns.
 */
async function findReach(
  tx: Database,
  user: User,
  id: string,
  communeIds: string[] | null,
  mairieActeurId: string | null,
): Promise<Reach> {
  const own = user.memberships.map(({ acteurId }) => acteurId)
  const candidates = mairieActeurId === null ? own : own.filter((one) => one === mairieActeurId)
  const { rows } = await sql<Reach>`
    select ${visible} as seen, ${inScope(communeIds)} as in_scope, coalesce((
      select json_agg(json_build_object('id', m.id, 'can_publish', m.can_publish)) from acteurs m
      where m.id = any(${candidates}::uuid[]) and m.active and m.deleted_at is null
        and exists (select from communes c where c.mairie_actor_id = m.id)
        and (p.acteur_id = m.id or ${supervisedBy(sql<string>`m.id`)})
    ), '[]') as mairies
    from publications p left join acteurs a on a.id = p.acteur_id where p.id = ${id}
  `.execute(tx)
  return rows[0] ?? raise(notFound())
}
