import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got, sentBy } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { uploadWith } from '../../api/upload.ts'
import { ifMatch } from '../../api/versions.ts'

export type Media = components['schemas']['Media']
export type Image = components['schemas']['Image']

/** A picture that the user manages: 404 for those of others. */
export const mediaQuery = (id: string) =>
  queryOptions({
    queryKey: ['media', id],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/media/{id}', { params: { path: { id } }, signal }))).data,
  })

export const perPage = 24

type SentFilter = { acteurId: string | null; isUnused: boolean; page: number }

/** Pictures that were sent for an acteur, newest first. */
export const sentMediaQuery = ({ acteurId, isUnused, page }: SentFilter) =>
  queryOptions({
    queryKey: ['media', 'sent', acteurId, isUnused, page],
    queryFn: ({ signal }) =>
      got(
        api.GET('/api/v1/media', {
          params: {
            query: {
              ...(acteurId !== null && { acteur_id: acteurId }),
              ...(isUnused && { unused: true }),
              ...{ per_page: perPage, page },
            },
          },
          signal,
        }),
      ),
  })

type Sending = {
  /** Idempotency key: a picture whose response was lost is sent again, and stored once. */
  key: string
  file: Blob
  name: string
  acteurId: string | null
  signal: AbortSignal
  onProgress: (part: number) => void
}

export async function sendPicture({
  key,
  file,
  name,
  acteurId,
  signal,
  onProgress,
}: Sending): Promise<Media> {
  const form = new FormData()
  // Fields first: the service reads the form in its order.
  if (acteurId !== null) form.append('acteur_id', acteurId)
  form.append('file', file, name)
  const sent = api.POST('/api/v1/media', {
    params: { header: { 'Idempotency-Key': key } },
    body: form as never,
    bodySerializer: (body: unknown) => body,
    signal,
    fetch: sentBy(uploadWith(onProgress)),
  })
  const { data } = await got(sent)
  queryClient.setQueryData(mediaQuery(data.id).queryKey, data)
  return data
}

export type Description = { alt: string; decorative: boolean }

/** Says what a picture shows, or that it is decorative. `seen`: its version, if known. */
export async function describe(id: string, { alt, decorative }: Description, seen?: number): Promise<Media> {
  const body = { alt: decorative || alt.trim() === '' ? null : alt.trim(), decorative }
  const params = { path: { id }, ...(seen !== undefined && { header: ifMatch(seen) }) }
  const { data } = await got(api.PATCH('/api/v1/media/{id}', { params, body }))
  queryClient.setQueryData(mediaQuery(id).queryKey, data)
  queryClient.setQueriesData({ queryKey: ['publications'] }, (shown: unknown) => withDescription(shown, data))
  return data
}

type Shown = { data?: unknown; images?: readonly Image[] } | undefined

/** Puts the description into what shows the picture: a description does not change its publication. */
function withDescription<Whole>(shown: Whole, media: Media): Whole {
  const whole = shown as Shown
  if (Array.isArray(whole?.data))
    return { ...whole, data: whole.data.map((row) => withDescription(row, media)) } as Whole
  if (!whole?.images?.some(({ id }) => id === media.id)) return shown
  const { alt, decorative } = media
  const images = whole.images.map((one) => (one.id === media.id ? { ...one, alt, decorative } : one))
  return { ...whole, images } as Whole
}

/** Address of a small variant, which every picture has. */
export const thumbnailOf = (id: string) => `/api/v1/media/${id}/400.webp`
