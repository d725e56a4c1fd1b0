import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { uuidv7, uuidv7At } from '../../platform/uuid.ts'
import { type DemoClaim, demoClaims } from './demo-claims.ts'

/** Claims of every status on the demo acteurs. One whose acteur is not there is left out. */
export async function insertDemoClaims(db: Database): Promise<void> {
  const found = await listClaimed(db)
  const moderator = await findModerator(db)
  const claims = found.map((claim) => claimRow(claim, moderator))
  // Whoever was approved waits for the owner of the address, as after a real decision.
  const claimants = claims.flatMap(({ user_id, ...claim }) =>
    user_id === null ? [] : [{ user_id, ...claim }],
  )
  const users = claimants.map(({ user_id, email, nom }) => ({ id: user_id, email, nom }))
  const owners = claimants.map(({ acteur_id, user_id }) => ({ acteur_id, user_id, role: 'owner' }))
  if (users.length > 0) await db.insertInto('users').values(users).execute()
  if (owners.length > 0) await db.insertInto('actor_users').values(owners).execute()
  if (claims.length > 0) await db.insertInto('claims').values(claims).execute()
}

/** Whoever of the demo decided; null where there are no demo users. */
async function findModerator(db: Database): Promise<string | null> {
  const row = await db
    .selectFrom('user_roles')
    .select('user_id')
    .where('role', '=', 'moderator')
    .orderBy('user_id')
    .executeTakeFirst()
  return row?.user_id ?? null
}

type Found = { acteurId: string; demo: DemoClaim }

async function listClaimed(db: Database): Promise<Found[]> {
  const acteurs = await db
    .selectFrom('acteurs')
    .select(['id', 'slug'])
    .where('slug', 'in', [...new Set(demoClaims.map(({ slug }) => slug))])
    .execute()
  const idOf = new Map(acteurs.map(({ id, slug }) => [slug, id]))
  return demoClaims.flatMap((demo) => {
    const acteurId = idOf.get(demo.slug)
    return acteurId === undefined ? [] : [{ acteurId, demo }]
  })
}

const dayMs = 24 * 3_600_000
const ago = (days: number) => new Date(Date.now() - days * dayMs)

type ClaimRow = Insertable<tables.Claims> & Pick<DemoClaim, 'nom' | 'email'> & { user_id: string | null }

function claimRow({ acteurId, demo }: Found, moderator: string | null): ClaimRow {
  const { status, days, mail, nom, email, telephone, message, reason } = demo
  const made = ago(days)
  const ended = status === 'pending' ? null : ago(status === 'expired' ? days - 30 : days - 2)
  return {
    id: uuidv7At(made.getTime()),
    acteur_id: acteurId,
    user_id: status === 'approved' ? uuidv7() : null,
    nom,
    email,
    telephone,
    message,
    status,
    reason,
    ended_at: ended,
    decided_by: status === 'approved' || status === 'rejected' ? moderator : null,
    email_status: mail,
    email_status_at: mail && ended,
    created_at: made,
    updated_at: ended ?? made,
  }
}
