import type { Insertable } from 'kysely'
import type { Role } from '../../src/platform/access/areas.ts'
import type { Permission } from '../../src/platform/access/caller.ts'
import { ownIssuer, signToken } from '../../src/platform/access/tokens.ts'
import type { Database } from '../../src/platform/database/connect.ts'
import type * as tables from '../../src/platform/database/types.generated.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'

export const jwtSecret = 'a secret for tests: long enough to be one'
export const sessionKey = 'a session key for tests that is long enough'
export const signingSecret = 'whsec_a_secret_of_the_tests'

let counter = 0

/** Creates rows for tests; each call creates new ones. */
export function factories(db: Database, now: () => Date = () => new Date()) {
  return {
    async commune(values: Partial<Insertable<tables.Communes>> = {}) {
      const number = ++counter
      return db
        .insertInto('communes')
        .values({
          id: uuidv7(),
          slug: `commune-${number}`,
          nom: `Commune ${number}`,
          code_insee: `9${String(number).padStart(4, '0')}`,
          codes_postaux: [],
          departement: '99',
          region: '99',
          ...values,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },
    async acteur(values: Partial<Insertable<tables.Acteurs>> = {}) {
      const number = ++counter
      return db
        .insertInto('acteurs')
        .values({
          id: uuidv7(),
          slug: `acteur-${number}`,
          nom: `Acteur ${number}`,
          type: 'association',
          ...values,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },
    /** A user with these permissions who has just signed in, and a token. */
    async user({ roles = [], memberships = [], ...values }: UserOptions = {}) {
      // As for those who sign in by mail: the address is the subject.
      const email = `user-${++counter}@example.org`
      const row = await db
        .insertInto('users')
        .values({ id: uuidv7(), issuer: ownIssuer, subject: email, email, ...values })
        .returningAll()
        .executeTakeFirstOrThrow()
      const user_id = row.id
      if (roles.length > 0) {
        await db
          .insertInto('user_roles')
          .values(roles.map((role) => ({ user_id, role })))
          .execute()
      }
      for (const { acteur, role = 'editor', permissions = [] } of memberships) {
        await db
          .insertInto('actor_users')
          .values({ user_id, acteur_id: acteur.id, role, permissions })
          .execute()
      }
      return { ...row, token: await signToken(jwtSecret, email, email, 3_600, now(), now()) }
    },
  }
}

type UserOptions = Partial<Insertable<tables.Users>> & {
  roles?: Role[]
  memberships?: { acteur: { id: string }; role?: 'owner' | 'editor'; permissions?: Permission[] }[]
}
