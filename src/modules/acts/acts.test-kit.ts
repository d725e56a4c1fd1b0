import type { World } from '../../../test/support/world.ts'
import { formOf, pdf } from '../media/media.test-kit.ts'

type Client = ReturnType<World['client']>
type Fields = Record<string, string>

/** A PDF with a text; another text makes another file. */
export const actPdf = (text: string) => pdf([text])

/** The form of a complete act. */
export const actForm = (fields: Fields = {}, file: Uint8Array = actPdf(JSON.stringify(fields))) =>
  formOf(
    file,
    {
      ...{ kind: 'deliberation', title: 'Subvention à l’école de musique', date: '2026-03-03' },
      ...{ author_first_name: 'Camille', author_name: 'Roux', author_quality: 'Maire' },
      ...fields,
    },
    'acte.pdf',
  )

/** Prepares and publishes acts of a mairie by the routes. */
export function actsOf(member: Client, acteurId: string) {
  const path = `/mairie/acteurs/${acteurId}/acts`
  const prepare = async (fields: Fields = {}, file?: Uint8Array) => {
    const { status, body } = await member.post(path, actForm(fields, file))
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data
  }
  const publish = async (fields: Fields = {}, file?: Uint8Array) => {
    const { id } = await prepare(fields, file)
    const { status, body } = await member.patch(`${path}/${id}/publish`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.data
  }
  return { path, prepare, publish }
}
