import { replaceMemberships, replaceRoles } from '../src/modules/users/queries.ts'
import type { Membership } from '../src/modules/users/schema.ts'
import { ownIdentity } from '../src/modules/users/tokens.ts'
import type { Role } from '../src/platform/access/areas.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapIds, readData } from './data.ts'
import { type Moment, moments } from './times.ts'

type DemoUser = {
  nom: string
  email: string
  actif: boolean
  times: { created_at: Moment; last_seen_at?: Moment }
  roles: Role[]
  memberships: (Omit<Membership, 'acteur_id'> & { acteur: string })[]
}

/** Inserts users of every role and state, members of existing demo acteurs. They have no tokens yet. */
export async function insertDemoUsers(db: Database, now: Date): Promise<void> {
  const acteurs = await mapIds(db, 'acteurs', 'slug')
  for (const { nom, email, actif, times, roles, memberships } of await readData<DemoUser[]>(
    'content/users.json',
  )) {
    const at = moments(times, now)
    const id = uuidv7At(at.created_at.getTime())
    const made = { id, nom, actif, ...at, updated_at: at.created_at }
    await db
      .insertInto('users')
      .values({ ...ownIdentity(email), ...made })
      .execute()
    await replaceRoles(db, id, roles)
    const there = memberships.flatMap(({ acteur, ...membership }) => {
      const acteur_id = acteurs.get(acteur)
      return acteur_id === undefined ? [] : [{ acteur_id, ...membership }]
    })
    await replaceMemberships(db, id, there)
  }
}
