import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import type { MailsSearch } from './search.ts'

export type Mail = components['schemas']['ListedMail']
export const perPage = 25

/** Returns the query of the list in the API. */
export function queryOf({ status, kind, page = 1 }: MailsSearch) {
  const states = status === undefined ? (['failed', 'uncertain'] as const) : [status]
  const isOpen = status === undefined || status === 'uncertain'
  return {
    page,
    per_page: perPage,
    ...(isOpen && { settled: [false] }),
    ...(status === 'settled' && { settled: [true] }),
    ...(status !== 'all' && status !== 'settled' && { status: [...states] as Mail['status'][] }),
    ...(kind && { kind: [kind] }),
  }
}

export const mailsQuery = (search: MailsSearch, language: string) => {
  const query = queryOf(search)
  return queryOptions({
    queryKey: ['mails', query, language],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/api/v1/admin/mails', { signal, params: { query } })),
  })
}

export const resendMail = (id: string) =>
  got(api.POST('/api/v1/admin/mails/{id}/resend', { params: { path: { id } } }))

export const settleMail = (id: string, reason: string) =>
  got(api.POST('/api/v1/admin/mails/{id}/settle', { params: { path: { id } }, body: { reason } }))
