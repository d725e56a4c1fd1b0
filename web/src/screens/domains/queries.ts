import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { ChoicesQuery } from '../../shell/choices/choices.ts'
import type { Choice } from '../../ui/combo.tsx'

export type Domain = components['schemas']['Domain']
type NewDomain = operations['createDomain']['requestBody']['content']['application/json']

export const perPage = 50

export const domainsQuery = (page = 1) => {
  const query = { page, per_page: perPage }
  return queryOptions({
    queryKey: ['domains', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/api/v1/admin/domains', { signal, params: { query } })),
  })
}

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', 'one', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/domains/{id}', { signal, params: { path: { id } } }))).data,
  })

/** Groups of communes that match a typed text. */
export const groupChoices = (q: string): ChoicesQuery<Choice> => ({
  queryKey: ['groups', 'choice', q],
  async queryFn({ signal }) {
    const query = { per_page: 20, ...(q !== '' && { q }) }
    const { data } = await got(api.GET('/api/v1/admin/groups', { signal, params: { query } }))
    return data.map(({ id, nom }) => ({ id, nom }))
  },
  placeholderData: keepPreviousData,
})

/** `key`: idempotency key, so that a retry does not create a second one. */
export const createDomain = async (key: string, body: NewDomain) => {
  const params = { header: { 'Idempotency-Key': key } }
  return (await got(api.POST('/api/v1/admin/domains', { params, body }))).data
}

export const verifyDomain = async (domain: Domain) =>
  (await got(api.POST('/api/v1/admin/domains/{id}/verify', { params: atVersion(domain) }))).data

export const makePrimary = async (domain: Domain) =>
  (await got(api.POST('/api/v1/admin/domains/{id}/primary', { params: atVersion(domain) }))).data

type DomainChange = operations['updateDomain']['requestBody']['content']['application/json']

export const changeDomain = async (domain: Domain, body: DomainChange) =>
  (await got(api.PATCH('/api/v1/admin/domains/{id}', { params: atVersion(domain), body }))).data

export const deleteDomain = async (domain: Domain) =>
  (await got(api.DELETE('/api/v1/admin/domains/{id}', { params: atVersion(domain) }))).data
