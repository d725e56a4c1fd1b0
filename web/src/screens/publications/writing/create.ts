import { api, got } from '../../../api/client.ts'
import { changesOf } from './changes.ts'
import { type Content, emptyContent } from './content.ts'

export type Creation = {
  content: Content
  acteur: string | null
  commune: string | null
  publie_le: string | null
}

/** Creates a publication. `key`: idempotency key, so that a retry does not create a second one. */
export async function create(key: string, { content, acteur, commune, publie_le }: Creation) {
  const { title, body } = content
  const params = { header: { 'Idempotency-Key': key } }
  const given = {
    ...(acteur !== null && { acteur_id: acteur }),
    title,
    body,
    ...changesOf(content, { ...emptyContent, title, body }),
    ...(commune !== null && { commune_id: commune }),
    ...(publie_le !== null && { publie_le }),
  }
  return (await got(api.POST('/api/v1/publications', { params, body: given as never }))).data
}
