import { keepPreviousData } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { ifMatch } from '../../api/versions.ts'
import type { ChoicesQuery } from '../../shell/choices/choices.ts'
import type { Choice } from '../../ui/combo.tsx'
import type { Acteur } from './queries.ts'

export type Member = components['schemas']['ActeurMember']
export type Membership = Pick<Member, 'role' | 'permissions'>

/** Accounts that are not members yet. */
export const newMemberChoices = (q: string, { id: acteurId, members }: Acteur): ChoicesQuery<Choice> => ({
  queryKey: ['users', 'new-member', acteurId, members.map(({ user_id }) => user_id), q],
  async queryFn({ signal }) {
    const params = { query: { actif: [true], per_page: 20, ...(q !== '' && { q }) } as never }
    const { data } = await got(api.GET('/api/v1/admin/users', { signal, params }))
    const others = data.filter(({ id }) => members.every(({ user_id }) => user_id !== id))
    return others.map(({ id, nom, email }) => ({
      id,
      nom: nom ?? email ?? id,
      ...(nom !== null && email !== null && { note: email }),
    }))
  },
  placeholderData: keepPreviousData,
})

/** Sets or removes a membership. The API replaces all memberships of a user, so the others are sent unchanged. */
export async function setMembership(userId: string, acteur_id: string, membership: Membership | null) {
  const path = { userId }
  const { data: user } = await got(api.GET('/api/v1/admin/users/{userId}', { params: { path } }))
  const others = user.acteurs.filter((one) => one.acteur_id !== acteur_id)
  const acteurs = membership === null ? others : [...others, { acteur_id, ...membership }]
  const params = { path, header: ifMatch(user.version) }
  await got(api.PATCH('/api/v1/admin/users/{userId}', { params, body: { acteurs } }))
}
