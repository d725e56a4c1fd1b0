import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { GroupsSearch } from './search.ts'

export type ListedGroup = components['schemas']['ManagedGroup']
export type Group = components['schemas']['ManagedGroupFull']
type Changes = operations['updateGroup']['requestBody']['content']['application/json']
type NewGroup = operations['createGroup']['requestBody']['content']['application/json']

export const perPage = 50

export const groupsQuery = ({ q, kind, page = 1 }: GroupsSearch) => {
  const query = { page, per_page: perPage, ...(q && { q }), ...(kind && { kind: [kind] }) }
  return queryOptions({
    queryKey: ['groups', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/api/v1/admin/groups', { signal, params: { query } })),
  })
}

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/groups/{id}', { signal, params: { path: { id } } }))).data,
  })

/** `key`: idempotency key, so that a retry does not create a second one. */
export const createGroup = async (key: string, body: NewGroup) => {
  const params = { header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/admin/groups', { params, body }))).data
}

export const updateGroup = async (group: Group, body: Changes) =>
  (await got(api.PATCH('/api/v1/admin/groups/{id}', { params: atVersion(group), body }))).data

export const deleteGroup = async (group: Group) =>
  (await got(api.DELETE('/api/v1/admin/groups/{id}', { params: atVersion(group) }))).data
