import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion } from '../../api/versions.ts'
import type { changesOf } from '../publications/writing/changes.ts'
import type { OwnSearch } from './search.ts'

export type Member = components['schemas']['MemberPublication']

export const perPage = 25

type Sort = 'created_at_asc' | 'updated_at_desc'
type OwnFilter = OwnSearch & { sort?: Sort; size?: number }

/** Publications of an acteur in every state, newest first. */
export const ownPublicationsQuery = (
  acteurId: string,
  { q, status, page = 1, sort, size = perPage }: OwnFilter,
) =>
  queryOptions({
    queryKey: ['publications', 'mine', acteurId, { q, status, page, sort, size }],
    queryFn: ({ signal }) => {
      const filters = {
        ...(q && { q }),
        ...(status && { moderation_status: [status] }),
        ...(sort && { sort }),
      }
      const query = { acteur_id: acteurId, page, per_page: size, ...filters }
      return got(api.GET('/api/v1/me/publications', { signal, params: { query: query as never } }))
    },
    placeholderData: keepPreviousData,
  })

/** Publication, in any state, of an acteur of which the user is a member. */
export const ownPublicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'own', id],
    queryFn: async ({ signal }): Promise<Member> => {
      const params = { path: { id } }
      return (await got(api.GET('/api/v1/me/publications/{id}', { signal, params }))).data
    },
  })

/** How often the pages of an acteur, or one of its publications, were read. */
export const readingsQuery = (acteurId: string, publicationId?: string) =>
  queryOptions({
    queryKey: ['publications', 'readings', acteurId, publicationId],
    queryFn: async ({ signal }) => {
      const query = publicationId === undefined ? {} : { publication_id: publicationId }
      const params = { path: { acteurId }, query }
      return (await got(api.GET('/api/v1/me/acteurs/{acteurId}/readings', { signal, params }))).data
    },
  })

export type Statement = components['schemas']['OwnStatement']

/** What decisions took from the publications of an acteur, or from one of them, newest first. */
export const statementsQuery = (acteurId: string, publicationId?: string) =>
  queryOptions({
    queryKey: ['publications', 'statements', acteurId, publicationId],
    queryFn: async ({ signal }) => {
      const query = { acteur_id: acteurId, ...(publicationId && { record_id: publicationId }) }
      return (await got(api.GET('/api/v1/me/statements', { signal, params: { query } }))).data
    },
  })

/** Objects to a decision: somebody else than who decided reads it again. */
export const complain = (statementId: string, text: string) =>
  got(api.POST('/api/v1/me/complaints', { body: { statement_id: statementId, text } }))

const recentMs = 30 * 86_400_000

/** Whether somebody decided it lately: what is no longer shown needs no attention for ever. */
export const isRecent = ({ decided_at }: Statement) => Date.now() - new Date(decided_at).getTime() < recentMs

type Changes = ReturnType<typeof changesOf> | { epingle: boolean }

/** Saves a member's changes. `seen`: the version on which they are based. */
export async function editPublication(id: string, seen: number, body: Changes): Promise<Member> {
  const params = atVersion({ id, version: seen })
  return (await got(api.PATCH('/api/v1/publications/{id}', { params, body }))).data
}

export async function deletePublication(publication: Pick<Member, 'id' | 'version'>): Promise<Member> {
  return (await got(api.DELETE('/api/v1/publications/{id}', { params: atVersion(publication) }))).data
}

/** The user's claims to acteurs, newest first. */
export const ownClaimsQuery = queryOptions({
  queryKey: ['claims', 'own'],
  queryFn: ({ signal }) => got(api.GET('/api/v1/me/claims', { signal, params: { query: { per_page: 20 } } })),
})

type SupportMessage = operations['createSupportMessage']['requestBody']['content']['application/json']

/** Writes to the team of the platform. `key`: idempotency key. */
export const askForCommune = (key: string, body: SupportMessage) =>
  got(api.POST('/api/v1/support/messages', { params: { header: { 'Idempotency-Key': key } }, body }))

const restorableMs = 30 * 86_400_000

/** Publications of an acteur that its members deleted, and can restore; `mayRestore`: whether the user can. */
export const deletedPublicationsQuery = (acteurId: string, mayRestore: boolean) => ({
  queryKey: ['publications', 'mine', acteurId, 'deleted', mayRestore],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = {
      acteur_id: acteurId,
      deleted: 'only' as const,
      per_page: 100,
      sort: 'updated_at_desc' as const,
    }
    const { data } = await got(api.GET('/api/v1/me/publications', { signal, params: { query } }))
    return data.map(({ id, titre, deleted_at }) => {
      const at = deleted_at ?? ''
      const erased_at = new Date(new Date(at).getTime() + restorableMs).toISOString()
      const can = mayRestore ? ['restore'] : []
      return {
        id,
        kind: 'publication' as const,
        label: titre,
        detail: null,
        deleted_at: at,
        erased_at,
        can,
      }
    })
  },
})

export const restorePublication = ({ id }: Pick<Member, 'id'>) =>
  got(api.PATCH('/api/v1/publications/{id}/restore', { params: { path: { id } } }))
