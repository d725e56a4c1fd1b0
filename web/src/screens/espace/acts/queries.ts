import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../../api/api.generated.ts'
import { api, got, sentBy } from '../../../api/client.ts'
import { queryClient } from '../../../api/queries.ts'
import { uploadWith } from '../../../api/upload.ts'
import { ifMatch } from '../../../api/versions.ts'
import { dayInParis } from '../../../ui/moment.ts'
import type { Act, ActsSearch } from './search.ts'

export type ReadAct = components['schemas']['ProposedAct']
type Changes = operations['updateAct']['requestBody']['content']['application/json']

export const perPage = 25

/** Acts of a mairie in every state, the newest first. */
export const actsQuery = (acteurId: string, { state, kind, year, page = 1 }: ActsSearch) =>
  queryOptions({
    queryKey: ['acts', acteurId, 'list', { state, kind, year, page }],
    queryFn: ({ signal }) => {
      const filters = {
        ...(state && { state: [state] }),
        ...(kind && { kind: [kind] }),
        ...(year && { year }),
      }
      const query = { page, per_page: perPage, ...filters }
      const params = { path: { acteurId }, query: query as never }
      return got(api.GET('/api/v1/mairie/acteurs/{acteurId}/acts', { signal, params }))
    },
    placeholderData: keepPreviousData,
  })

export type DueAct = components['schemas']['DueAct']

/** What the law asks a mairie to put on line after its councils, and that is not there. */
export const dueActsQuery = (acteurId: string) =>
  queryOptions({
    queryKey: ['acts', acteurId, 'due'],
    queryFn: async ({ signal }): Promise<DueAct[]> => {
      const params = { path: { acteurId } }
      return (await got(api.GET('/api/v1/mairie/acteurs/{acteurId}/acts/due', { signal, params }))).data
    },
  })

export const actQuery = (acteurId: string, id: string) =>
  queryOptions({
    queryKey: ['acts', acteurId, 'one', id],
    queryFn: async ({ signal }): Promise<ReadAct> => {
      const params = { path: { acteurId, id } }
      return (await got(api.GET('/api/v1/mairie/acteurs/{acteurId}/acts/{id}', { signal, params }))).data
    },
  })

const maxCorrectable = 100

/** The latest acts that another one may correct. */
export const correctableQuery = (acteurId: string) =>
  queryOptions({
    queryKey: ['acts', acteurId, 'correctable'],
    queryFn: async ({ signal }) => {
      const query = { state: ['published'], per_page: maxCorrectable } as never
      const params = { path: { acteurId }, query }
      return (await got(api.GET('/api/v1/mairie/acteurs/{acteurId}/acts', { signal, params }))).data
    },
  })

/** Who signed the latest act that says it: mostly the same person signs the next one. */
async function readLastAuthor(acteurId: string) {
  const params = { path: { acteurId }, query: { per_page: 10 } as never }
  const { data } = await got(api.GET('/api/v1/mairie/acteurs/{acteurId}/acts', { params }))
  const { author_first_name, author_name, author_quality } =
    data.find((act) => act.author_name !== null) ?? ({} as Partial<Act>)
  return { author_first_name, author_name, author_quality }
}

type Sending = {
  acteurId: string
  file: File
  /** The act that this one corrects. */
  corrected: Act | undefined
  onProgress: (part: number) => void
}

/**
 * Prepares an act from its PDF. Until its text was read, its title is the name of the file and its date is today; then what the
 * text proposes is saved. A proposal that is refused, such as the number of another act, is left to the form.
 */
export async function sendAct({ acteurId, file, corrected, onProgress }: Sending): Promise<Act> {
  const form = new FormData()
  const fields = {
    kind: corrected?.kind ?? 'deliberation',
    title: titleOf(file),
    date: dayInParis(new Date()),
    ...(await readLastAuthor(acteurId)),
    ...(corrected && { supersedes: corrected.id, number: corrected.number, subject: corrected.subject }),
  }
  // Fields first: the service reads the form in its order.
  for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value)
  form.append('file', file, file.name)
  const sent = api.POST('/api/v1/mairie/acteurs/{acteurId}/acts', {
    params: { path: { acteurId } },
    body: form as never,
    bodySerializer: (body: unknown) => body,
    fetch: sentBy(uploadWith(onProgress)),
  })
  const { proposal, ...act } = (await got(sent)).data
  const said = Object.entries(proposal ?? {}).filter(([, value]) => value !== null)
  if (said.length === 0) return act
  return updateAct(act, Object.fromEntries(said)).catch(() => act)
}

const maxTitle = 500
const titleOf = ({ name }: File) =>
  name
    .replace(/\.pdf$/i, '')
    .replaceAll('_', ' ')
    .trim()
    .slice(0, maxTitle) || name

type Seen = Pick<Act, 'id' | 'acteur_id' | 'version'>

/** Parameters of a change of an act in the version that the user saw. */
const at = ({ id, acteur_id: acteurId, version }: Seen) => ({
  path: { acteurId, id },
  header: ifMatch(version),
})

export async function updateAct(act: Seen, body: Changes): Promise<Act> {
  const params = at(act)
  return (await got(api.PATCH('/api/v1/mairie/acteurs/{acteurId}/acts/{id}', { params, body }))).data
}

export async function deleteAct(act: Seen): Promise<void> {
  await got(api.DELETE('/api/v1/mairie/acteurs/{acteurId}/acts/{id}', { params: at(act) }))
}

export async function publishAct(act: Seen): Promise<Act> {
  const params = at(act)
  return (await got(api.PATCH('/api/v1/mairie/acteurs/{acteurId}/acts/{id}/publish', { params }))).data
}

export async function archiveAct(act: Seen): Promise<Act> {
  const params = at(act)
  return (await got(api.PATCH('/api/v1/mairie/acteurs/{acteurId}/acts/{id}/archive', { params }))).data
}

export async function occultAct(act: Seen, reason: string): Promise<Act> {
  const params = at(act)
  const body = { reason }
  return (await got(api.PATCH('/api/v1/mairie/acteurs/{acteurId}/acts/{id}/occult', { params, body }))).data
}

export async function readPdf({ id, acteur_id: acteurId }: Pick<Act, 'id' | 'acteur_id'>): Promise<Blob> {
  const params = { path: { acteurId, id } }
  const answer = api.GET('/api/v1/mairie/acteurs/{acteurId}/acts/{id}/pdf', { params, parseAs: 'blob' })
  return (await got(answer)) as Blob
}

export const refreshActs = () => queryClient.invalidateQueries({ queryKey: ['acts'] })
