import type { Role } from '../../platform/access/areas.ts'
import { operator } from '../../platform/access/caller.ts'
import type { LoadDigests } from '../../platform/access/erased-identities.ts'
import { auditedUser } from '../../platform/access/users.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { grant, ownIdentity } from '../users/tokens.ts'
import { insertOperatorLink } from './email/queries.ts'
import { mailSecrets } from './email/secrets.ts'
import { resetWithin } from './factors/rules.ts'

type Wish = {
  email: string
  role: Role | null
  resetFactors: boolean
  digests: LoadDigests
  sessionKeys: readonly string[]
  publicUrl: string
}

/**
 * Creates a link that signs in once within 30 minutes, and the account if needed. Gives the operator access
 * even when mail, identity provider and second factors fail. Audited.
 */
export async function makeSignInLink(db: Database, wish: Wish): Promise<string> {
  const { id: userId } = await grant(db, ownIdentity(wish.email), wish.role, wish.digests)
  const id = uuidv7()
  await db.transaction().execute(async (tx) => {
    if (wish.resetFactors) await resetWithin(tx, operator, userId)
    await insertOperatorLink(tx, { id, userId })
    const change = { kind: auditedUser, entityId: userId, after: { link: true } }
    await append(tx, operator, { action: 'user.sign_in_link', ...change })
  })
  const token = mailSecrets(wish.sessionKeys).linkToken(id)
  return `${wish.publicUrl}/backoffice/sign-in#token=${token}`
}
