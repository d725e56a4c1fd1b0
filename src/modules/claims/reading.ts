import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { roles } from '../../platform/access/areas.ts'
import { memberRoles } from '../../platform/access/caller.ts'
import { foldedEmail, userNameOf } from '../../platform/access/users.ts'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { foldMailAddress, parseMailAddress } from '../../platform/formats/mail-address.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import {
  EmailVerified,
  Id,
  NullableUserName,
  nullable,
  oneOf,
  ResponseTimestamp,
  record,
  textOrNull,
  titled,
  UserName,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { contactNames } from '../acteurs/fields.ts'
import { shownContacts } from '../acteurs/schema.ts'
import { listPresent } from '../presence/queries.ts'
import { withPresence } from '../presence/schema.ts'
import { addCanFor } from './decide/authorise.ts'
import { getClaim } from './decide/queries.ts'
import { decidedAt, shownStatus } from './queries.ts'
import { listQuestions } from './question/queries.ts'
import { ClaimQuestion } from './question/schema.ts'
import { ById, Claim, statuses } from './schema.ts'
import { claimsSettings } from './settings.ts'

const maxMembers = 100
const maxEarlier = 20

const MatchingUser = titled('ClaimMatchingUser', {
  id: Id(),
  nom: textOrNull('Odile Vauquelin'),
  email: textOrNull('odile.vauquelin@example.org'),
  email_verified: EmailVerified,
  roles: Type.Array(oneOf(roles), { examples: [[]] }),
})
type MatchingUser = Static<typeof MatchingUser>

const ClaimedActeur = titled(
  'ClaimedActeur',
  {
    id: Id(),
    nom: Type.String({ examples: ['Boule des Accoules'] }),
    slug: Type.String({ examples: ['boule-des-accoules'] }),
    type: Type.String({ examples: ['association'] }),
    ...shownContacts,
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
type OtherClaim = Static<typeof OtherClaim>

/** Evidence for and against a claim. */
const evidence = {
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
type Evidence = Static<ReturnType<typeof Type.Object<typeof evidence>>>

const ClaimRead = withPresence(
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

export function readClaimRoutes(scope: SignedInScope, { reads, config }: Deps): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.get(
    '/admin/claims/:id',
    {
      schema: {
        operationId: 'getClaim',
        summary:
          'Read a claim with what speaks for it: the acteur, its members, other claims on it, questions',
        params: ById,
        response: { 200: record(ClaimRead) },
      },
    },
    async ({ params: { id }, caller }) => {
      const [claim, addCan, { acteur, members, owning_address }, others, questions, present] =
        await Promise.all([
          getClaim(reads, id, ttlDays),
          addCanFor(reads, caller.user),
          getClaimedActeur(reads, id),
          listOtherClaims(reads, id, ttlDays),
          listQuestions(reads, id),
          listPresent(reads, caller, { kind: 'claim', id }),
        ])
      const matching_users = claim.email === null ? [] : await listUsersOfAddress(reads, claim.email)
      return {
        data: {
          ...addCan(claim),
          acteur,
          members,
          owning_address,
          email_matches_site: emailMatchesSite(owning_address, acteur.site_web),
          rivals: others.filter(({ status }) => status === 'pending'),
          earlier_claims: others.filter(({ status }) => status !== 'pending'),
          questions,
          matching_users,
          present,
        },
      }
    },
  )
}

/**
 * True if a mail address belongs to a web site: both have the same domain, or one domain lies within the
 * other (`contact@club.example` or `contact@mail.club.example`, and `https://www.club.example`). Compares in
 * ASCII, so that every spelling of an international domain matches. Null if there is nothing to compare.
 *
 * Two subdomains of one domain never match: without a list of all registries, `a.gouv.fr` and `b.gouv.fr`
 * look like two hosts of one owner. The result is a hint for the moderator, so doubtful cases are false.
 */
export function emailMatchesSite(email: string | null, site: string | null): boolean | null {
  const mailDomain = email === null ? null : domainOf(parseMailAddress(email))
  const host = site === null || !URL.canParse(site) ? null : new URL(site).hostname
  if (mailDomain === null || host === null) return null
  const siteDomain = host.replace(/\.$/, '').replace(/^www\./, '')
  if (isShared(mailDomain) || isShared(siteDomain)) return false
  return isWithin(mailDomain, siteDomain) || isWithin(siteDomain, mailDomain)
}

const domainOf = (address: string | null) =>
  address
    ?.split('@')[1]
    ?.toLowerCase()
    .replace(/^www\./, '') ?? null

const isWithin = (inner: string, outer: string) => inner === outer || inner.endsWith(`.${outer}`)

/** True for a top-level domain, and for a domain where anybody can get an address, a page or a name. */
const isShared = (domain: string) => !domain.includes('.') || shared.has(domain)

const shared = new Set(
  // Public mail providers.
  `aliceadsl.fr aol.com aol.fr bbox.fr caramail.com cegetel.net club-internet.fr dartybox.com dbmail.com email.com
  fastmail.com free.fr gmail.com gmx.com gmx.de gmx.fr gmx.net googlemail.com hey.com hotmail.be hotmail.ch hotmail.co.uk
  hotmail.com hotmail.fr icloud.com inbox.com ik.me infomaniak.ch lagoon.nc laposte.net libertysurf.fr live.be live.com
  live.fr mac.com mail.com mail.fr mail.ru mailo.com mailo.eu me.com mediaserv.net msn.com net-c.com netcourrier.com neuf.fr
  noos.fr nordnet.fr numericable.com numericable.fr only.fr orange.com orange.fr outlook.be outlook.com outlook.fr
  ovh.fr pm.me posteo.de posteo.net proton.me protonmail.ch protonmail.com riseup.net rocketmail.com sfr.fr skynet.be
  skynet.fr t-online.de tele2.fr tiscali.fr tuta.com tuta.io tutanota.com voila.fr wanadoo.fr web.de yahoo.be yahoo.ca
  yahoo.co.uk yahoo.com yahoo.fr yandex.com yandex.ru ymail.com zaclys.net zoho.com zoho.eu`
    .split(/\s+/)
    .concat(
      // Public web hosts.
      `assoconnect.com blogger.com blogspot.com blogspot.fr canalblog.com carrd.co clubeo.com e-monsite.com eklablog.com
      facebook.com fb.com fb.me footeo.com framasoft.org free.fr github.com github.io gitlab.io goo.gl google.com
      google.fr helloasso.com ifrance.com instagram.com jimdo.com jimdofree.com linkedin.com linktr.ee lodgify.com
      medium.com meetup.com netlify.app notion.site over-blog.com over-blog.fr overblog.com pagesjaunes.fr
      pagesperso-orange.fr planity.com site123.me sitew.com sitew.fr skyrock.com sportsregions.fr squarespace.com
      substack.com tiktok.com tripadvisor.fr tumblr.com twitter.com vercel.app webnode.fr webself.net weebly.com wix.com
      wixsite.com wordpress.com x.com youtu.be youtube.com`.split(/\s+/),
      // Registries that sell or assign domains below these.
      `aeroport.fr ass.km asso.fr asso.gp asso.mc asso.nc asso.re avocat.fr cci.fr chambagri.fr chirurgiens-dentistes.fr
      co.uk collectivite.fr com.fr com.gp com.re eu.org eu.com experts-comptables.fr fr.eu.org geometre-expert.fr gouv.fr
      gov.uk greta.fr huissier-justice.fr medecin.fr nom.fr nom.nc nom.re notaires.fr org.uk pharmacien.fr port.fr prd.fr
      presse.fr tm.fr uk.com veterinaire.fr`.split(/\s+/),
    ),
)

type ActeurRow = Omit<Evidence, 'email_matches_site'>

const contacts = sql.join(contactNames.map((name) => sql`${sql.lit(name)}, ${sql.ref(`a.${name}`)}`))

/** Reads the acteur of a claim. Until the claim's user has signed in, the claim's address counts. */
async function getClaimedActeur(db: Database, claimId: string): Promise<ActeurRow> {
  const { rows } = await sql<ActeurRow>`
    select json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug, 'type', a.type, ${contacts}, 'active', a.active,
        'deleted', a.deleted_at is not null) as acteur,
      coalesce((
        select json_agg(json_build_object('user_id', m.id, 'user', json_build_object('id', m.id, 'nom', m.nom), 'nom', m.nom, 'email', m.email,
          'email_verified', m.email_verified, 'role', m.role) order by m.role <> 'owner', m.created_at, m.id)
        from (
          select u.id, u.nom, u.email, u.email_verified, o.role, o.created_at
          from actor_users o join users u on u.id = o.user_id where o.acteur_id = a.id
          order by o.role <> 'owner', o.created_at, u.id limit ${sql.lit(maxMembers)}) m), '[]') as members,
      case when u.issuer is null then c.email when u.email_verified then u.email end as owning_address
    from claims c join acteurs a on a.id = c.acteur_id left join users u on u.id = c.user_id
    where c.id = ${claimId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Lists the other pending claims on the acteur of a claim, and the newest ended ones. */
async function listOtherClaims(db: Database, claimId: string, ttlDays: number): Promise<OtherClaim[]> {
  const acteurId = sql`(select acteur_id from claims where id = ${claimId})`
  const { rows } = await sql<OtherClaim>`
    select c.id, c.user_id, ${userNameOf(sql`c.user_id`)} as "user", c.nom, c.email, ${shownStatus(ttlDays)} as status, c.reason, c.decided_by,
      ${userNameOf(sql`c.decided_by`)} as decided_by_user,
      ${decidedAt} as decided_at, c.created_at
    from claims c where c.id in (
      select id from claims where acteur_id = ${acteurId} and status = 'pending' and id <> ${claimId}
      union all
      (select id from claims where acteur_id = ${acteurId} and status <> 'pending' and id <> ${claimId}
        order by created_at desc, id desc limit ${sql.lit(maxEarlier)}))
    order by c.created_at desc, c.id desc`.execute(db)
  return rows
}

/** Lists the users of an address, verified ones first, then by id. */
export async function listUsersOfAddress(db: Database, address: string): Promise<MatchingUser[]> {
  const { rows } = await sql<MatchingUser>`
    select id, nom, email, email_verified,
      array(select role from user_roles where user_id = users.id order by role) as roles
    from users where ${foldedEmail} = ${foldMailAddress(address)}
    order by email_verified desc, id`.execute(db)
  return rows
}
