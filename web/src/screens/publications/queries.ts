import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion, seenRows } from '../../api/versions.ts'

export type ListedPublication = components['schemas']['ListedPublication']
export type ReportedPublication = components['schemas']['ReportedPublication']
export type Status = ListedPublication['moderation_status']
export type BulkAnswer = components['schemas']['BulkModerationAnswer']
export type Report = ReportedPublication['reports'][number]

/** Screens on which publications are decided one after the other. */
export type ReviewKind = 'queue' | 'reports'

/** Query of each screen: the longest waiting first, so that new ones come last. */
const filters = {
  queue: { moderation_status: ['pending'], sort: 'created_at_asc' },
  reports: { reported: [true], sort: 'oldest_report_asc' },
} as const

/** Rows that a review loads first. */
export const firstSize = 50

type Review = { kind: ReviewKind; q: string; size: number }

/** Filters of a review, without its size. */
export const reviewFilters = ({ kind, q }: Omit<Review, 'size'>) => ({
  ...filters[kind],
  ...(q !== '' && { q }),
})

function readReview({ size, ...review }: Review, signal: AbortSignal) {
  const query = { ...reviewFilters(review), per_page: size }
  return got(api.GET('/api/v1/admin/publications', { signal, params: { query: query as never } }))
}

/** List on the screen. Reloads on request or when it runs out, so that nothing moves under the cursor. */
export const reviewQuery = (review: Review) =>
  queryOptions({
    queryKey: ['publications', review.kind, review.q, review.size],
    queryFn: async ({ signal, client }) => {
      const page = await readReview(review, signal)
      client.setQueryData(newestReviewQuery(review).queryKey, page)
      return page
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    meta: { stays: true },
  })

/** Current state of the list: removed rows disappear from the screen, new ones are announced. */
export const newestReviewQuery = (review: Review) =>
  queryOptions({
    queryKey: ['publications', 'newest-list', review],
    queryFn: ({ signal }) => readReview(review, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

async function readPublication(id: string, signal: AbortSignal): Promise<ReportedPublication> {
  const params = { path: { id } }
  return (await got(api.GET('/api/v1/admin/publications/{id}', { signal, params }))).data
}

/** Version that the user opened. A decision refers to it, even if another user changes the publication. */
export const publicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'one', id],
    queryFn: async ({ signal, client }) => {
      const publication = await readPublication(id, signal)
      client.setQueryData(newestPublicationQuery(id).queryKey, publication)
      return publication
    },
    meta: { stays: true },
  })

/** Current version of the publication. */
export const newestPublicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'newest', id],
    queryFn: ({ signal }) => readPublication(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const similarQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'similar', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } }
      return (await got(api.GET('/api/v1/admin/publications/{id}/similar', { signal, params }))).data
    },
  })

type One = Pick<ListedPublication, 'id' | 'version'>

/** Decision on a publication. `at`: the time of publication, with `approved`. */
export type Verdict = { status: Status; reason?: string; at?: string }

const bodyOf = ({ status, reason, at }: Verdict) => ({
  moderation_status: status,
  ...(reason && { reason }),
  ...(at && { publie_le: at }),
})

export async function moderate(one: One, verdict: Verdict) {
  const body = bodyOf(verdict)
  return (await got(api.PATCH('/api/v1/admin/publications/{id}/moderate', { params: atVersion(one), body })))
    .data
}

/** Decides on several publications by version; the service skips those with a newer version. */
export function moderateMany(publications: readonly One[], verdict: Verdict) {
  const body = { ...seenRows(publications), ...bodyOf(verdict) }
  return got(api.PATCH('/api/v1/admin/publications/bulk/moderate', { body }))
}

export async function deleteMany(publications: readonly One[]) {
  return got(api.PATCH('/api/v1/admin/publications/bulk/delete', { body: seenRows(publications) }))
}

export async function restoreMany(publications: readonly One[]) {
  return got(api.PATCH('/api/v1/admin/publications/bulk/restore', { body: seenRows(publications) }))
}

export async function featureMany(publications: readonly One[], en_avant: boolean) {
  const body = { ...seenRows(publications), en_avant }
  return got(api.PATCH('/api/v1/admin/publications/bulk/feature', { body }))
}

export async function closeReportsOfMany(publications: readonly One[]) {
  return got(api.PATCH('/api/v1/admin/publications/bulk/close-reports', { body: seenRows(publications) }))
}

/** Closes the reports of a publication and leaves its state unchanged. */
export async function closeReports(one: One) {
  const params = atVersion(one)
  return (await got(api.POST('/api/v1/admin/publications/{id}/reports/close', { params }))).data
}
