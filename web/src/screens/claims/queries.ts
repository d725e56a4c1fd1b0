import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { ChoicesQuery } from '../../shell/choices/choices.ts'
import type { Choice } from '../../ui/combo.tsx'
import type { ClaimsSearch } from './search.ts'

export type Claim = components['schemas']['Claim']
export type ReadClaim = components['schemas']['ClaimRead']
export type OtherClaim = components['schemas']['OtherClaim']
type Decided = components['schemas']['DecidedClaim']
export const tones = { pending: 'warn', approved: 'good', rejected: 'plain', expired: 'plain' } as const
export const perPage = 25

/** Returns what the claimant typed or, without a name, the name of the account; null if nothing is known. */
export const claimantOf = ({ nom, user, email, telephone }: Claim): string | null =>
  nom ?? user?.nom ?? email ?? telephone

/** True if the claim names neither an account nor an address: an administrator names the owner. */
export const needsOwner = ({ user_id, email }: Claim): boolean => user_id === null && email === null

/** Accounts that can become owner. */
export const ownerChoices = (q: string): ChoicesQuery<Choice> => ({
  queryKey: ['users', 'owner-of-claim', q],
  async queryFn({ signal }) {
    const params = { query: { actif: [true], per_page: 20, ...(q !== '' && { q }) } as never }
    const { data } = await got(api.GET('/api/v1/admin/users', { signal, params }))
    return data.map(({ id, nom, email }) => ({
      id,
      nom: nom ?? email ?? id,
      ...(nom !== null && email !== null && { note: email }),
    }))
  },
  placeholderData: keepPreviousData,
})

/** Claims by status: pending ones oldest first, others newest first. */
export const filtersOf = ({ q, status = 'pending' }: ClaimsSearch) => ({
  sort: status === 'pending' ? 'created_at_asc' : 'created_at_desc',
  ...(status !== 'all' && { status: [status] }),
  ...(q && { q }),
})

export const claimsQuery = ({ page = 1, ...filters }: ClaimsSearch) =>
  queryOptions({
    queryKey: ['claims', 'list', { ...filters, page }],
    queryFn: ({ signal }) => {
      const query = { page, per_page: perPage, ...filtersOf(filters) }
      return got(api.GET('/api/v1/admin/claims', { signal, params: { query: query as never } }))
    },
    placeholderData: keepPreviousData,
  })

export const claimQuery = (id: string) =>
  queryOptions({
    queryKey: ['claims', 'one', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/claims/{id}', { signal, params: { path: { id } } }))).data,
  })

type Verdict = { status: 'approved' | 'rejected'; reason?: string; user_id?: string }

type Seen = Pick<Claim, 'id' | 'version'>

/** Asks the claimant a question, mailed immediately. */
export const askClaimant = (claim: Seen, body: string) =>
  got(api.POST('/api/v1/admin/claims/{id}/question', { params: atVersion(claim), body: { body } }))

export const resumeClaim = (claim: Seen) =>
  got(api.POST('/api/v1/admin/claims/{id}/resume', { params: atVersion(claim) }))

export async function decideClaim(claim: Seen, verdict: Verdict): Promise<Decided> {
  const params = atVersion(claim)
  return (await got(api.PATCH('/api/v1/admin/claims/{id}', { params, body: verdict }))).data
}
