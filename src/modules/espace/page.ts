import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import { columnList } from '../../platform/database/columns.ts'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { updateActeur } from '../acteurs/rules.ts'
import { PageUpdate } from '../acteurs/schema.ts'
import { imageOf, privateAddress } from '../media/images.ts'
import { attachedTo, restrictionOf } from '../publications/visibility.ts'
import { requireRightOver } from './access.ts'
import { deedsOf } from './can.ts'
import { espaceRules } from './permissions.ts'
import { ActeurPage, ByActeur, pageColumns } from './schema.ts'
import { listTeam } from './team/queries.ts'

/** The page of an acteur as its members see it, and its changes. */
export function pageRoutes(scope: SignedInScope, { db, reads }: Deps): void {
  scope.get(
    '/me/acteurs/:acteurId',
    {
      config: { needs: espaceRules.read.name },
      schema: {
        operationId: 'getMyActeur',
        summary: 'Read the page of an acteur of the caller, with what the caller may do and what waits',
        params: ByActeur,
        response: { 200: record(ActeurPage) },
      },
    },
    async ({ params, caller }) => ({ data: await readPage(reads, caller, params.acteurId) }),
  )

  scope.patch(
    '/me/acteurs/:acteurId',
    {
      config: {
        needs: espaceRules.edit.name,
        audits: 'acteur.update',
        limit: { name: 'edit', sparesAdmins: true },
        refusals: ['forbidden', 'precondition_failed'],
      },
      schema: {
        operationId: 'updateMyActeur',
        summary: 'Change the contact, the description, the opening hours and the logo of an acteur',
        params: ByActeur,
        body: PageUpdate,
        response: { 200: record(ActeurPage) },
      },
    },
    async ({ params: { acteurId }, body, caller }) => ({
      data: await updateActeur(
        db,
        caller,
        acteurId,
        body,
        (tx) => readPage(tx, caller, acteurId),
        (_tx, acteur) => requireRightOver(caller.user, acteur, espaceRules.edit),
      ),
    }),
  )
}

/** Maximum number of publications that are counted. */
const maxCounted = 10_000

type StoredPage = Omit<ActeurPage, 'role' | 'permissions' | 'can' | 'members'> & { deleted_at: Date | null }

async function readPage(db: Database, caller: SignedIn, id: string): Promise<ActeurPage> {
  const { deleted_at, ...page } = await findPage(db, caller, id)
  requireRightOver(caller.user, { ...page, deleted_at }, espaceRules.read)
  const can = deedsOf(caller.user, page)
  const membership = caller.user.memberships.find(({ acteurId }) => acteurId === id)
  return {
    ...page,
    role: membership?.role ?? null,
    permissions: membership?.permissions ?? [],
    can,
    members: can.includes('members') ? await listTeam(db, caller.user.id, id) : null,
  }
}

const commune = sql`json_build_object('id', c.id, 'slug', c.slug, 'nom', c.nom)`

/** Reads an acteur and counts what an application that is restricted to communes shows of its publications. */
async function findPage(db: Database, caller: SignedIn, id: string): Promise<StoredPage> {
  const communeIds = restrictionOf(caller)
  const isCounted = allOf(
    sql`p.acteur_id = a.id and p.deleted_at is null`,
    communeIds !== null && attachedTo(communeIds),
  )
  const { rows } = await sql<StoredPage>`
    select ${columnList(pageColumns, 'a')}, a.deleted_at, ${imageOf(sql`a.logo`, privateAddress)} as logo,
      (select ${commune} from communes c where c.id = a.commune_id) as commune,
      coalesce((select json_agg(${commune} order by c.sort_name, c.id)
        from communes c where c.mairie_actor_id = a.id), '[]') as mairie_of,
      coalesce((select json_agg(json_build_object('id', g.id, 'slug', g.slug, 'nom', g.nom) order by g.sort_name, g.id)
        from groups g where g.acteur_id = a.id), '[]') as groups,
      (select json_build_object(
        'published', count(*) filter (where is_accepted and publie_le <= statement_timestamp()),
        'pending', count(*) filter (where moderation_status = 'pending'),
        'rejected', count(*) filter (where moderation_status = 'rejected'),
        'scheduled', count(*) filter (where is_accepted and coalesce(publie_le > statement_timestamp(), true)),
        'reported', count(*) filter (where exists (
          select from publication_reports r where r.publication_id = newest.id and r.closed_at is null)))
        from (
          select p.id, p.moderation_status, p.publie_le,
            p.valide and p.moderation_status in ('approved', 'published') as is_accepted
          from publications p where ${isCounted}
          order by p.created_at desc, p.id desc limit ${sql.lit(maxCounted)}) newest) as counts
    from acteurs a where a.id = ${id} and a.merged_into is null`.execute(db)
  return rows[0] ?? raise(notFound())
}
