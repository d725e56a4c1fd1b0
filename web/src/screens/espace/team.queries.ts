import { queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { ifMatch } from '../../api/versions.ts'

export type TeamMember = components['schemas']['TeamMember']
type Invitation = operations['addMember']['requestBody']['content']['application/json']

/** Members of an acteur and people who are invited. */
export const teamQuery = (acteurId: string) =>
  queryOptions({
    queryKey: ['acteurs', 'team', acteurId],
    queryFn: async ({ signal }): Promise<TeamMember[]> => {
      const params = { path: { acteurId } }
      return (await got(api.GET('/api/v1/me/acteurs/{acteurId}/members', { signal, params }))).data
    },
  })

/** Invites an address to a team. `key`: idempotency key, so that a retry sends no second mail. */
export async function addMember(acteurId: string, key: string, body: Invitation) {
  const params = { path: { acteurId }, header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/me/acteurs/{acteurId}/members', { params, body }))).data
}

type Member = { user_id: string; version?: number }

/** Parameters of a change of a member, in the version that the user saw if there is one. */
const at = (acteurId: string, { user_id: userId, version }: Member) => ({
  path: { acteurId, userId },
  ...(version !== undefined && { header: ifMatch(version) }),
})

export async function updateMember(
  acteurId: string,
  member: TeamMember,
  body: Pick<TeamMember, 'role' | 'permissions'>,
) {
  const params = at(acteurId, member)
  return (await got(api.PATCH('/api/v1/me/acteurs/{acteurId}/members/{userId}', { params, body }))).data
}

export const removeMember = (acteurId: string, member: Member) =>
  got(api.DELETE('/api/v1/me/acteurs/{acteurId}/members/{userId}', { params: at(acteurId, member) }))

export const acceptInvitation = (id: string) =>
  got(api.POST('/api/v1/me/invitations/{id}/accept', { params: { path: { id } } }))

export const declineInvitation = (id: string) =>
  got(api.DELETE('/api/v1/me/invitations/{id}', { params: { path: { id } } }))
