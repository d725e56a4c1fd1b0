import { findOrInsertUnboundUser } from '../src/modules/claims/decide/queries.ts'
import { linkOwner } from '../src/modules/claims/decide/rules.ts'
import { newReference } from '../src/modules/claims/reference.ts'
import { insertClaim } from '../src/modules/claims/submit.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapIds, readData } from './data.ts'
import { type Moment, moments } from './times.ts'

export type DemoClaim = {
  /** Slug of the acteur. */
  acteur: string
  nom: string | null
  email: string | null
  telephone: string | null
  message: string
  /** Address of the user who claimed while signed in. */
  user?: string
  status: string
  reason: string | null
  /** Address of the user who decided. */
  decided_by?: string
  /** Status of the mail about the decision. */
  email_status: string | null
  times: { created_at: Moment; ended_at?: Moment }
}

/** Inserts claims of every status. Skips claims whose acteur does not exist. */
export async function insertDemoClaims(db: Database, now: Date): Promise<void> {
  const acteurs = await mapIds(db, 'acteurs', 'slug')
  const users = await mapIds(db, 'users', 'email')
  for (const { acteur, user = '', decided_by = '', times, ...claim } of await readData<DemoClaim[]>(
    'content/claims.json',
  )) {
    const acteur_id = acteurs.get(acteur)
    if (acteur_id === undefined) continue
    const at = moments(times, now)
    const { created_at, ended_at = null } = at
    await insertClaim(db, {
      id: uuidv7At(created_at.getTime()),
      acteur_id,
      user_id: users.get(user) ?? (await linkApproved(db, acteur_id, claim)),
      reference: newReference(),
      ...claim,
      decided_by: users.get(decided_by ?? '') ?? null,
      email_status_at: claim.email_status && ended_at,
      ...at,
      updated_at: ended_at ?? created_at,
    })
  }
}

/** Links approved claimants to an unbound user, as a real decision does. */
async function linkApproved(
  db: Database,
  acteurId: string,
  { status, email, nom }: Omit<DemoClaim, 'acteur' | 'times'>,
) {
  if (status !== 'approved' || email === null) return null
  const { made, ...user } = await findOrInsertUnboundUser(db, email, nom)
  return (await linkOwner(db, acteurId, user, made)).userId
}
