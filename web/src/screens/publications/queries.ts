import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion, seenRows } from '../../api/versions.ts'
import type { ChoicesQuery } from '../../shell/choices/choices.ts'
import type { Why } from '../../shell/deciding/why.ts'
import { readMatching } from '../../shell/lists/chosen.ts'
import type { Choice } from '../../ui/combo.tsx'

export type ListedPublication = components['schemas']['ListedPublication']
export type ReportedPublication = components['schemas']['ReportedPublication']
export type Status = ListedPublication['moderation_status']
export type BulkAnswer = components['schemas']['BulkModerationAnswer']
export type Report = ReportedPublication['reports'][number]

/** Screens on which publications are decided one after the other. */
export type ReviewKind = 'queue' | 'reports'

/** Filters that the queue, the reports and the list of publications share, as ids in the URL. */
export type FilterSearch = { commune?: string; acteur?: string; type?: string; source?: string }

/** Returns these filters as in the API. */
export const filterQuery = ({ commune, acteur, type, source }: FilterSearch) => ({
  ...(commune && { commune_id: commune }),
  ...(acteur && { acteur_id: acteur }),
  ...(type && { type_id: [type] }),
  ...(source && { source_id: source }),
})

/** Acteurs or import sources to filter by. */
export const filterChoices = (of: 'acteur' | 'source', q: string): ChoicesQuery<Choice> => ({
  queryKey: ['publications', 'choices', of, q],
  queryFn: ({ signal }) => readChoices({ of, ...(q !== '' && { q }) }, signal),
  placeholderData: keepPreviousData,
})

/** Name of the acteur or source that the URL names by its id; null if there is none. */
export const filterNameQuery = (of: 'acteur' | 'source', id: string) =>
  queryOptions({
    queryKey: ['publications', 'choice', of, id],
    queryFn: async ({ signal }) => (await readChoices({ of, ids: [id] }, signal))[0] ?? null,
  })

async function readChoices(
  query: { of: 'acteur' | 'source'; q?: string; ids?: string[] },
  signal: AbortSignal,
): Promise<Choice[]> {
  const { data } = await got(api.GET('/api/v1/admin/publications/choices', { signal, params: { query } }))
  return data.map(({ id, nom, detail }) => ({ id, nom, ...(detail && { note: detail }) }))
}

export const reviewOrders = ['created_at_desc', 'created_at_asc'] as const
export type ReviewOrder = (typeof reviewOrders)[number]

/** What narrows a review. `sort`: order of the queue. */
export type ReviewFilter = FilterSearch & { q?: string; sort?: ReviewOrder }

/** Query of each screen. The longest reported come first, so that new reports come last. */
const filters = {
  queue: { moderation_status: ['pending'] },
  reports: { reported: [true] },
} as const

/** Rows that a review loads first. */
export const firstSize = 50

export type Review = { kind: ReviewKind; filter: ReviewFilter; size: number }

/** Filters of a review, without its size. */
export const reviewFilters = ({ kind, filter: { q, sort, ...shared } }: Omit<Review, 'size'>) => ({
  ...filters[kind],
  ...filterQuery(shared),
  sort: kind === 'reports' ? ('oldest_report_asc' as const) : (sort ?? 'created_at_desc'),
  ...(q && { q }),
})

function readReview({ size, ...review }: Review, signal: AbortSignal) {
  const query = { ...reviewFilters(review), per_page: size }
  return got(api.GET('/api/v1/admin/publications', { signal, params: { query: query as never } }))
}

/** Reads the first publications that match the filters, to select them. */
export const readMatchingPublications = ({ page: _, ...filters }: { page?: number; sort: string }) =>
  readMatching((page) => {
    const query = { ...filters, ...page }
    return got(api.GET('/api/v1/admin/publications', { params: { query: query as never } }))
  })

/** List on the screen. Reloads on request or when it runs out, so that nothing moves under the cursor. */
export const reviewQuery = (review: Review) =>
  queryOptions({
    queryKey: ['publications', review.kind, review.filter, review.size],
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

/** How often it was read on the public site. */
export const readingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['publications', 'readings', 'one', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } }
      return (await got(api.GET('/api/v1/admin/publications/{id}/readings', { signal, params }))).data
    },
  })

type One = Pick<ListedPublication, 'id' | 'version'>

/** Decision on a publication. `at`: the time of publication, with `approved`. */
export type Verdict = { status: Status; reason?: string; ground?: string | undefined; at?: string }

const bodyOf = ({ status, reason, ground, at }: Verdict) => ({
  moderation_status: status,
  ...(reason && { reason }),
  ...(ground && { ground }),
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

export async function deleteMany(publications: readonly One[], why: Why) {
  const body = { ...seenRows(publications), ...why }
  return got(api.PATCH('/api/v1/admin/publications/bulk/delete', { body }))
}

export async function restoreMany(publications: readonly One[]) {
  return got(api.PATCH('/api/v1/admin/publications/bulk/restore', { body: seenRows(publications) }))
}

/** `until`: the end of the featuring; null: none. */
export async function featureMany(publications: readonly One[], until: string | null = null) {
  const body = { ...seenRows(publications), en_avant: true, ...(until !== null && { featured_until: until }) }
  return got(api.PATCH('/api/v1/admin/publications/bulk/feature', { body }))
}

export async function unfeatureMany(publications: readonly One[], why: Why) {
  const body = { ...seenRows(publications), en_avant: false, ...why }
  return got(api.PATCH('/api/v1/admin/publications/bulk/feature', { body }))
}

/** Pins a publication to the top of the page of its acteur, or unpins it. */
export async function pin(one: One, epingle: boolean) {
  const body = { epingle }
  return (await got(api.PATCH('/api/v1/publications/{id}', { params: atVersion(one), body }))).data
}

export async function closeReportsOfMany(publications: readonly One[]) {
  return got(api.PATCH('/api/v1/admin/publications/bulk/close-reports', { body: seenRows(publications) }))
}

/** Closes the reports of a publication and leaves its state unchanged. */
export async function closeReports(one: One) {
  const params = atVersion(one)
  return (await got(api.POST('/api/v1/admin/publications/{id}/reports/close', { params }))).data
}
