import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { list, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { getActeur } from '../../acteurs/queries.ts'
import { requireRightOver } from '../access.ts'
import { espaceRules } from '../permissions.ts'
import { ByActeur, ByMember, MemberCreate, MemberUpdate, TeamMember } from '../schema.ts'
import { getTeamMember, listTeam } from './queries.ts'
import { addMember, removeMember, updateMember } from './rules.ts'

const namesOwner = ({ body }: { body: unknown }) => (body as MemberUpdate | undefined)?.role === 'owner'

const guarded = { needs: espaceRules.team.name, limit: { name: 'edit', sparesAdmins: true } } as const

/** The team of an acteur. */
export function teamRoutes(scope: SignedInScope, { db, reads, lists, jobs }: Deps): void {
  scope.get(
    '/me/acteurs/:acteurId/members',
    {
      config: { needs: espaceRules.team.name, load: 'list', refusals: ['forbidden'] },
      schema: {
        operationId: 'listMembers',
        summary: 'The members and the invited of an acteur, in the order they came',
        params: ByActeur,
        response: { 200: list(TeamMember) },
      },
    },
    async ({ params: { acteurId }, caller }) => {
      requireRightOver(caller.user, await getActeur(lists, acteurId), espaceRules.team)
      return { data: await listTeam(lists, caller.user.id, acteurId) }
    },
  )

  scope.post(
    '/me/acteurs/:acteurId/members',
    {
      config: {
        ...guarded,
        audits: 'acteur.member_add',
        confirms: namesOwner,
        refusals: ['forbidden', 'conflict'],
        location: '/me/acteurs/:acteurId/members/{user_id}',
      },
      schema: {
        operationId: 'addMember',
        summary: 'Invite an address to the team: its reader joins by accepting, with an account or without',
        params: ByActeur,
        body: MemberCreate,
        response: { 201: record(TeamMember) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(201).send({ data: await addMember({ db, jobs }, caller, params.acteurId, body) }),
  )

  scope.get(
    '/me/acteurs/:acteurId/members/:userId',
    {
      config: { needs: espaceRules.team.name, refusals: ['forbidden'] },
      schema: {
        operationId: 'getMember',
        summary: 'Read a member of an acteur',
        params: ByMember,
        response: { 200: record(TeamMember) },
      },
    },
    async ({ params, caller }) => {
      requireRightOver(caller.user, await getActeur(reads, params.acteurId), espaceRules.team)
      return { data: await getTeamMember(reads, caller.user.id, params) }
    },
  )

  scope.patch(
    '/me/acteurs/:acteurId/members/:userId',
    {
      config: {
        ...guarded,
        audits: 'acteur.member_update',
        confirms: namesOwner,
        refusals: ['forbidden', 'last_owner', 'precondition_failed'],
      },
      schema: {
        operationId: 'updateMember',
        summary: 'Change the role or the permissions of a member',
        params: ByMember,
        body: MemberUpdate,
        response: { 200: record(TeamMember) },
      },
    },
    async ({ params, body, caller }) => ({ data: await updateMember(db, caller, params, body) }),
  )

  scope.delete(
    '/me/acteurs/:acteurId/members/:userId',
    {
      config: {
        ...guarded,
        needs: espaceRules.removeMember.name,
        audits: 'acteur.member_remove',
        refusals: ['forbidden', 'last_owner', 'precondition_failed'],
      },
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member or withdraw an invitation; the response shows the member as it last was',
        params: ByMember,
        response: { 200: record(TeamMember) },
      },
    },
    async ({ params, caller }) => ({ data: await removeMember(db, caller, params) }),
  )
}
