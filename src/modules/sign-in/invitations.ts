import { sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { findValidAfterErasure, type LoadDigests } from '../../platform/access/erased-identities.ts'
import { ownIssuer } from '../../platform/access/tokens.ts'
import { foldedEmail, lockIdentity } from '../../platform/access/users.ts'
import { create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict } from '../../platform/errors.ts'
import { readAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts'
import { directMails, oneMail, recordOfDirectMail, sendDirectMail } from '../../platform/mail/direct-mails.ts'
import type { AnsweredMail } from '../../platform/mail/row-mails.ts'
import type { Deps, RouteDeps } from '../../platform/module.ts'
import { answersTo } from '../messages/inbox/address.ts'
import { addRoles, getUser, getUserForUpdate, lockUnbound, takeOver, type UserRow } from '../users/queries.ts'
import { user } from '../users/record.ts'
import { withCan } from '../users/rules.ts'
import { User } from '../users/schema.ts'
import { resetFactors } from './factors/rules.ts'
import { FactorsReset } from './factors/schema.ts'
import { type Invitee, invitationMail, named } from './invitations.mail.ts'
import { ByUserId, Device, EndedDevices, InvitationBody } from './schema.ts'
import { endAllOf, listDevices } from './sessions/rules.ts'

/** Routes for administrators: invite users, sign out their devices, reset their factors. */
export function signInAdminRoutes(scope: SignedInScope, deps: RouteDeps): void {
  const { db, reads } = deps

  scope.post(
    '/admin/users',
    {
      config: {
        refusals: ['conflict'],
        audits: 'user.invite',
        location: '/admin/users/{id}',
        confirms: ({ body }) => ((body as InvitationBody).roles ?? []).length > 0,
        confirmsTokens: true,
      },
      schema: {
        operationId: 'inviteUser',
        summary: 'Invite somebody: makes their account, and sends one mail that leads to sign-in',
        body: InvitationBody,
        response: { 201: record(User) },
      },
    },
    async ({ body, caller }, reply) => reply.code(201).send({ data: await inviteUser(deps, caller, body) }),
  )

  scope.get(
    '/admin/users/:userId/sessions',
    {
      schema: {
        operationId: 'listUserDevices',
        summary: "List a user's sessions, last used first; at most 100",
        params: ByUserId,
        response: { 200: list(Device) },
      },
    },
    async ({ params, caller, session }) => {
      await getUser(reads, params.userId)
      return { data: await listDevices(reads, caller, params.userId, session) }
    },
  )

  scope.delete(
    '/admin/users/:userId/sessions',
    {
      config: { audits: 'session.end', confirms: true, confirmsTokens: true },
      schema: {
        operationId: 'signOutUser',
        summary: 'Sign a user out everywhere',
        params: ByUserId,
        response: { 200: record(EndedDevices) },
      },
    },
    async ({ params, caller }) => ({ data: { ended: await endAllOf(db, caller, params.userId) } }),
  )

  scope.post(
    '/admin/users/:userId/factors/reset',
    {
      config: { audits: 'user.factors_reset', confirms: true, confirmsTokens: true, refusals: ['conflict'] },
      schema: {
        operationId: 'resetUserFactors',
        summary: 'Remove every second factor of a user, and sign them out: for somebody who lost a phone',
        params: ByUserId,
        response: { 200: record(FactorsReset) },
      },
    },
    async ({ params, caller }) => ({ data: await resetFactors(deps, caller, params.userId) }),
  )
}

type Tools = Pick<RouteDeps, 'db' | 'jobs'> & { digests: LoadDigests }

/**
 * Creates an account of the service's own issuer with these roles, and invites it by mail. An account that a
 * claim created for the address becomes this account. 409 if an account of the own issuer has the address, or
 * if the account created by a claim is disabled.
 */
async function inviteUser(
  { db, jobs, digests }: Tools,
  caller: SignedIn,
  { email, nom, roles = [] }: InvitationBody,
): Promise<User> {
  const address = readAddress(email)
  const identity = { issuer: ownIssuer, subject: address }
  const read = async (tx: Database, { id }: UserRow) => withCan(await getUser(tx, id))
  const digestOf = await digests(db)
  return create(db, caller, user, { action: 'user.invite', read }, async (tx) => {
    await lockIdentity(tx, identity)
    if (await hasOwnAccount(tx, address)) throw conflict()
    const validFrom = await findValidAfterErasure(tx, digestOf(identity))
    const unbound = await lockUnbound(tx, address)
    if (unbound !== null && !unbound.actif) throw conflict()
    const id = unbound?.id ?? uuidv7()
    if (unbound === null) {
      await sql`
        insert into users (id, issuer, subject, email, nom, tokens_valid_from)
        values (${id}, ${ownIssuer}, ${address}, ${address}, ${nom ?? null}, ${validFrom})`.execute(tx)
    } else {
      await takeOver(tx, unbound.id, { address, nom, validFrom })
    }
    // The account of a claim keeps the roles that it was given since.
    await addRoles(tx, id, roles)
    await jobs.enqueue(tx, mailInvitation, { userId: id })
    return getUserForUpdate(tx, id)
  })
}

async function hasOwnAccount(tx: Database, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where issuer = ${ownIssuer} and (subject = ${address} or ${foldedEmail} = ${address})
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Invites a user by mail. The mail holds no token: its reader still has to prove the address. */
const mailInvitation = defineJob(
  'sign-in.mail-invitation',
  Type.Object({ userId: Type.String(), mailId: Type.Optional(Type.String()) }),
  oneMail,
)

export const invitationMails = directMails({
  job: mailInvitation,
  name: 'user_invitation',
  title: { fr: 'Invitation d’un utilisateur', en: 'Invitation of a user' },
  isNeeded: sql`exists (select from users u where u.id = m.user_id and u.actif and u.last_seen_at is null)`,
  enqueue: async (tx, jobs, mailId) =>
    jobs.enqueue(tx, mailInvitation, { userId: await recordOfDirectMail(tx, mailId), mailId }),
})

export function invitationHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(mailInvitation, async ({ userId, mailId }, context) => {
    const invited = await findInvited(db, userId)
    if (invited === null) return
    const page = `${config.publicUrl}/backoffice/sign-in`
    const envelope = { from: config.mail.from, answers: answersTo(config, `${named}${userId}`) }
    const mail = invitationMail({ id: userId, ...invited }, envelope, page)
    await sendDirectMail(deps, invitationMails, { userId, mailId }, mail, context)
  })
}

export const answeredInvitations: AnsweredMail = {
  named,
  record: 'user',
  async find({ db }, id) {
    const invited = await findInvited(db, id)
    return invited === null ? null : { recordId: id, address: invited.email }
  },
}

async function findInvited(db: Database, userId: string): Promise<Invitee | null> {
  const { rows } = await sql<Invitee>`
    select email, langue from users where id = ${userId} and actif and email is not null`.execute(db)
  return rows[0] ?? null
}
