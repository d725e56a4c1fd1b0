import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got, sentBy } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { uploadWith } from '../../api/upload.ts'

export type Media = components['schemas']['Media']
export type Image = components['schemas']['Image']
export type Document = components['schemas']['Document']
export type MediaKind = Media['kind']

/** A picture or document that the user manages: 404 for those of others. */
export const mediaQuery = (id: string) =>
  queryOptions({
    queryKey: ['media', id],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/media/{id}', { params: { path: { id } }, signal }))).data,
  })

export const perPage = 24

type SentFilter = { kind: MediaKind; acteurId: string | null; isUnused: boolean; page: number }

/** Pictures or documents that were sent for an acteur, newest first. */
export const sentMediaQuery = ({ kind, acteurId, isUnused, page }: SentFilter) =>
  queryOptions({
    queryKey: ['media', 'sent', kind, acteurId, isUnused, page],
    queryFn: ({ signal }) =>
      got(
        api.GET('/api/v1/media', {
          params: {
            query: {
              kind,
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
  /** Idempotency key: a file whose response was lost is sent again, and stored once. */
  key: string
  file: Blob
  name: string
  acteurId: string | null
  signal: AbortSignal
  onProgress: (part: number) => void
}

export async function sendMedia({ key, file, name, acteurId, signal, onProgress }: Sending): Promise<Media> {
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

/** The fields of a file that its form edits: the description of a picture, or the name of a document. */
export type Description = { alt: string; decorative: boolean } | { nom: string }

/** Saves the description of a picture or the name of a document, and shows it in the cached publications. */
export async function describe(id: string, description: Description): Promise<Media> {
  const body =
    'nom' in description
      ? { nom: description.nom.trim() || null }
      : {
          alt: description.decorative || description.alt.trim() === '' ? null : description.alt.trim(),
          decorative: description.decorative,
        }
  const params = { path: { id } }
  const { data } = await got(api.PATCH('/api/v1/media/{id}', { params, body }))
  queryClient.setQueryData(mediaQuery(id).queryKey, data)
  queryClient.setQueriesData({ queryKey: ['publications'] }, (shown: unknown) => withDescription(shown, data))
  return data
}

type Shown = { data?: unknown; images?: readonly Image[]; documents?: readonly Document[] } | undefined

/** Puts the description into what shows the file: a description does not change its publication. */
function withDescription<Whole>(shown: Whole, media: Media): Whole {
  const whole = shown as Shown
  if (Array.isArray(whole?.data))
    return { ...whole, data: whole.data.map((row) => withDescription(row, media)) } as Whole
  const { id, alt, decorative, nom, url } = media
  const isIn = (list: readonly { id: string }[] = []) => list.some((one) => one.id === id)
  if (isIn(whole?.images)) {
    const images = whole?.images?.map((one) => (one.id === id ? { ...one, alt, decorative } : one))
    return { ...whole, images } as Whole
  }
  if (!isIn(whole?.documents)) return shown
  const documents = whole?.documents?.map((one) => (one.id === id ? { ...one, nom, url } : one))
  return { ...whole, documents } as Whole
}

/** Address of a small variant, which every picture and every first page has. */
export const thumbnailOf = (id: string) => `/api/v1/media/${id}/400.webp`
