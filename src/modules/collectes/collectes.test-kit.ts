import type { Answer } from '../../../test/support/client.ts'
import type { World } from '../../../test/support/world.ts'
import { groupsKit } from '../alertes/groups.test-kit.ts'

type Client = Awaited<ReturnType<World['as']>>

/** The form that sends a file of collections. */
export function formOf(content: string | Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), 'collectes.csv')
  return form
}

/** A table with these columns; each row names its cells. */
export function tableOf(...rows: Record<string, string>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) =>
    names.map((name) => `"${(row[name] ?? '').replaceAll('"', '""')}"`).join(';'),
  )
  return [names.join(';'), ...lines].join('\r\n')
}

/** Groups whose team imports collections. */
export async function collectesKit(world: World) {
  const { admin, openGroup } = await groupsKit(world)

  async function openTerritory(communeIds: string[]) {
    const { acteur, owner, ...group } = await openGroup(communeIds)
    const path = `/mairie/acteurs/${acteur.id}/collecte-imports`
    const one = (id: string) => `${path}/${id}`
    const dataOf = ({ status, body, text }: Answer) => {
      if (status >= 300) throw new Error(text)
      return body.data
    }
    return {
      ...{ ...group, acteur, owner, path },
      send: (content: string | Uint8Array, fields?: Record<string, string>, by: Client = owner) =>
        by.post(path, formOf(content, fields)),
      check: async (content: string | Uint8Array, fields?: Record<string, string>) =>
        dataOf(await owner.post(path, formOf(content, fields))),
      apply: (id: string, by: Client = owner) => by.post(`${one(id)}/apply`),
      undo: (id: string, by: Client = owner) => by.post(`${one(id)}/undo`),
      read: async (id: string) => dataOf(await owner.get(one(id))),
      calendar: async (id: string, communeId: string) =>
        dataOf(await owner.get(`${one(id)}/communes/${communeId}`)),
    }
  }

  /** Returns the collections of a commune as administrators see them, without what is computed. */
  async function collectesOf(communeId: string) {
    const { body } = await admin.get(`/admin/communes/${communeId}/full`)
    return body.data.collectes.map(({ prochaines, passages, ...row }: Record<string, unknown>) => row)
  }
  const setCollectes = async (communeId: string, collectes: object[]) => {
    const { status, text } = await admin.patch(`/admin/communes/${communeId}`, { collectes })
    if (status !== 200) throw new Error(text)
  }
  return { admin, openTerritory, collectesOf, setCollectes }
}
