import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import type { Role } from './roles.ts'

export type User = components['schemas']['User']

export const perPage = 50

type Filters = { q?: string | undefined; role?: Role | undefined; page: number }

export const filtersOf = ({ q, role }: Omit<Filters, 'page'>) => ({
  ...(q && { q }),
  ...(role && { role: [role] }),
})

export const usersQuery = ({ page, ...filters }: Filters) =>
  queryOptions({
    queryKey: ['users', 'list', { ...filters, page }],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { page, per_page: perPage, ...filtersOf(filters) }
      return got(api.GET('/api/v1/admin/users', { params: { query }, signal }))
    },
  })

export const userQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/users/{userId}', { params: { path: { userId } }, signal }))).data,
  })

export const userDevicesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'devices'],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/users/{userId}/sessions', { params: { path: { userId } }, signal })))
        .data,
  })

export async function addRole(userId: string, role: Role): Promise<void> {
  await got(api.POST('/api/v1/admin/users/{userId}/roles', { params: { path: { userId } }, body: { role } }))
}

export async function removeRole(userId: string, role: Role): Promise<void> {
  await got(api.DELETE('/api/v1/admin/users/{userId}/roles/{role}', { params: { path: { userId, role } } }))
}

export async function setActive(userId: string, actif: boolean): Promise<void> {
  await got(api.PATCH('/api/v1/admin/users/{userId}', { params: { path: { userId } }, body: { actif } }))
}

export async function signOutUser(userId: string): Promise<number> {
  const answer = await got(
    api.DELETE('/api/v1/admin/users/{userId}/sessions', { params: { path: { userId } } }),
  )
  return answer.data.ended
}

export async function resetFactors(userId: string): Promise<void> {
  await got(api.POST('/api/v1/admin/users/{userId}/factors/reset', { params: { path: { userId } } }))
}

export async function invite(body: { email: string; nom?: string; roles: Role[] }): Promise<User> {
  return (await got(api.POST('/api/v1/admin/users', { body }))).data
}
