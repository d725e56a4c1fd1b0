import Type, { type Static } from 'typebox'
import { roles } from '../../../platform/access/areas.ts'
import { memberRoles } from '../../../platform/access/caller.ts'
import {
  EmailVerified,
  Id,
  NullableUserName,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
  UserName,
} from '../../../platform/http/validation/schemas.ts'
import { withPresence } from '../../presence/schema.ts'
import { ClaimQuestion } from '../question/schema.ts'
import { Claim, statuses } from '../schema.ts'

export const maxMembers = 100
export const maxEarlier = 20

const MatchingUser = titled('ClaimMatchingUser', {
  id: Id(),
  nom: textOrNull('Odile Vauquelin'),
  email: textOrNull('odile.vauquelin@example.org'),
  email_verified: EmailVerified,
  roles: Type.Array(oneOf(roles), { examples: [[]] }),
})
export type MatchingUser = Static<typeof MatchingUser>

const ClaimedActeur = titled(
  'ClaimedActeur',
  {
    id: Id(),
    nom: Type.String({ examples: ['Boule des Accoules'] }),
    slug: Type.String({ examples: ['boule-des-accoules'] }),
    type: Type.String({ examples: ['association'] }),
    adresse: textOrNull('3 montée des Accoules, 13002 Marseille'),
    telephone: textOrNull('04 65 71 73 12'),
    email: textOrNull('contact@accoules.example'),
    site_web: textOrNull('https://www.accoules.example'),
    active: Type.Boolean({ examples: [true] }),
    deleted: Type.Boolean({ description: 'Whether it was deleted', examples: [false] }),
  },
  'With its contacts',
)

const Member = titled('ClaimActeurMember', {
  user_id: Id(),
  user: UserName,
  nom: textOrNull('Zoé Lambert'),
  email: textOrNull('zoe.lambert@example.org'),
  email_verified: EmailVerified,
  role: oneOf(memberRoles),
})

const OtherClaim = titled('OtherClaim', {
  id: Id(),
  user_id: nullable(Id('Who asks, when signed in; once approved, who became owner')),
  user: NullableUserName,
  nom: textOrNull('Basile Ferrand'),
  email: textOrNull('basile.ferrand@example.org'),
  status: oneOf(statuses),
  reason: textOrNull('Le club nous a indiqué un autre contact.'),
  decided_by: nullable(Id('The administrator or moderator')),
  decided_by_user: NullableUserName,
  decided_at: nullable(ResponseTimestamp()),
  created_at: ResponseTimestamp(),
})
export type OtherClaim = Static<typeof OtherClaim>

/** Evidence for and against a claim. */
export const evidence = {
  acteur: ClaimedActeur,
  members: Type.Array(Member, {
    description: `Who may act for the acteur now, owners first; at most ${maxMembers}`,
  }),
  owning_address: textOrNull(
    'basile.ferrand@example.org',
    "The address that would own the acteur: the verified one of the claimant's account, or that of a claim made without signing in. Null: there is none",
  ),
  email_matches_site: nullable(
    Type.Boolean({
      description:
        "Whether the domain of `owning_address` is the domain of the acteur's web site, or one is within the other. Domains that anybody gets an address or a page at never match. Null: there is no such address, or no site",
      examples: [true],
    }),
  ),
}
export type Evidence = Static<ReturnType<typeof Type.Object<typeof evidence>>>

export const ClaimRead = withPresence(
  {
    ...Claim.properties,
    ...evidence,
    rivals: Type.Array(OtherClaim, { description: 'Other pending claims on the acteur' }),
    earlier_claims: Type.Array(OtherClaim, {
      description: `Decided and expired claims on the acteur, newest first; at most ${maxEarlier}`,
    }),
    questions: Type.Array(ClaimQuestion, { description: 'What the claimant was asked, oldest first' }),
    matching_users: Type.Array(MatchingUser, {
      description: "Users of the claim's address, those to whom it verifiably belongs first",
    }),
  },
  'ClaimRead',
)
