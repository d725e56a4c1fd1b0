import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { foldedEmail } from '../../platform/access/users.ts'
import { settingsOf } from '../../platform/config/config.ts'
import { jsonTime } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, PageWith, pagingQuery } from '../../platform/http/listing/paging.ts'
import { Id, nullable, oneOf, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { decidedAt, shownStatus } from './queries.ts'
import { ClaimQuestion } from './question/schema.ts'
import { Claim } from './schema.ts'
import { claimsSettings } from './settings.ts'

const OwnClaimsQuery = Type.Object(pagingQuery(adminPerPage))

const { id, status, reason, created_at, decided_at } = Claim.properties
const { id: questionId, body, created_at: askedAt } = ClaimQuestion.properties

const OwnClaim = titled('OwnClaim', {
  id,
  acteur: Type.Object({
    id: Id(),
    nom: Type.String({ examples: ['Boule des Accoules'] }),
    slug: Type.String({ examples: ['boule-des-accoules'] }),
  }),
  status,
  reason,
  created_at,
  decided_at,
  questions: Type.Array(titled('OwnClaimQuestion', { id: questionId, body, created_at: askedAt }), {
    description: 'What the team has asked by mail, oldest first',
  }),
  missing: nullable(
    oneOf(
      ['support'],
      '`support`: approved, but several accounts have the address of the claim; the support says to which the rights go',
    ),
  ),
})
type OwnClaim = Static<typeof OwnClaim>

const OwnClaims = PageWith(
  'OwnClaimsMeta',
  {
    missing: nullable(
      oneOf(
        ['email', 'verified_email'],
        'Claims made without signing in are shown once the account has their address (`email`), and the identity provider has verified it (`verified_email`); null: nothing is missing',
      ),
    ),
  },
  OwnClaim,
)

export function ownClaimsRoutes(scope: SignedInScope, { lists, config }: Deps): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.get(
    '/me/claims',
    {
      schema: {
        operationId: 'listOwnClaims',
        summary: "List one's own claims with their outcome, newest first",
        querystring: OwnClaimsQuery,
        response: { 200: OwnClaims },
      },
    },
    async ({ query, caller: { user } }) => {
      const [{ data, meta }, missing] = await Promise.all([
        numberedPage(lists, claimsOf(user.id, ttlDays), query, adminPerPage),
        findMissing(lists, user.id),
      ])
      return { data, meta: { ...meta, missing } }
    },
  )
}

export const claimsOf = (userId: string, ttlDays: number): List<object, OwnClaim> => ({
  name: 'own-claims',
  from: sql`claims c`,
  as: 'c',
  where: sql`c.id in (${claimIdsOf(userId)})`,
  filters: {},
  sorts: {
    created_at: [
      { by: sql`c.created_at`, type: 'time' },
      { by: sql`c.id`, type: 'id' },
    ],
  },
  defaults: { sort: 'created_at_desc' },
  columns: sql<OwnClaim>`
    c.id, c.reason, c.created_at, ${shownStatus(ttlDays)} as status, ${decidedAt} as decided_at,
    (select json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug) from acteurs a where a.id = c.acteur_id) as acteur,
    array(select json_build_object('id', q.id, 'body', q.body, 'created_at', ${jsonTime(sql`q.created_at`)})
      from claim_questions q where q.claim_id = c.id order by q.created_at, q.id) as questions,
    case when c.status = 'approved' and c.user_id is distinct from ${userId} then 'support' end as missing`,
})

/** Claims made while signed in, or under the user's verified address and not linked to another account. */
const claimIdsOf = (userId: string) => sql`
  select id from claims where user_id = ${userId}
  union
  select e.id from claims e left join users owner on owner.id = e.user_id
  where e.email is not null and (owner.id is null or owner.issuer is null and owner.erased_at is null)
    and lower(e.email collate "C") = (
      select ${foldedEmail} from users where id = ${userId} and email_verified)`

/** Returns why an account does not see the claims made under its address. */
async function findMissing(db: Database, userId: string): Promise<'email' | 'verified_email' | null> {
  const { rows } = await sql<{ missing: 'email' | 'verified_email' | null }>`
    select case when email is null then 'email' when not email_verified then 'verified_email' end as missing
    from users where id = ${userId}`.execute(db)
  return rows[0]?.missing ?? null
}
