import { idsIn, textOf } from '../../../shell/media/tokens.ts'
import type { CommunePage, Contact } from './queries.ts'

export type TypedContact = Record<keyof Contact, string>
/** As typed; an empty text stands for null. Pictures and documents are tokens. */
export type Typed = {
  title: string
  body: string
  parent_id: string
  images: string
  documents: string
  contacts: TypedContact[]
  status: CommunePage['status']
}

export const emptyContact: TypedContact = { nom: '', adresse: '', telephone: '', email: '' }

export const emptyPage: Typed = {
  ...{ title: '', body: '', parent_id: '', images: '', documents: '', contacts: [], status: 'draft' },
}

const idsOf = (files: readonly { id: string }[]) => textOf(files.map(({ id }) => id))

export const typedOf = (page: CommunePage): Typed => ({
  ...{ title: page.title, body: page.body, parent_id: page.parent_id ?? '', status: page.status },
  ...{ images: idsOf(page.images), documents: idsOf(page.documents) },
  contacts: page.contacts.map(({ nom, adresse, telephone, email }) => ({
    ...{ nom, adresse: adresse ?? '', telephone: telephone ?? '', email: email ?? '' },
  })),
})

const sentContact = ({ nom, adresse, telephone, email }: TypedContact): Contact => ({
  ...{ nom, adresse: adresse.trim() || null, telephone: telephone.trim() || null },
  email: email.trim() || null,
})

/** Returns a page in the format of the API. */
const sent = ({ parent_id, images, documents, contacts, ...page }: Typed) => ({
  ...{ ...page, parent_id: parent_id || null, images: idsIn(images), documents: idsIn(documents) },
  contacts: contacts.map(sentContact),
})

/** Returns the changed fields in the format of the API; the title always, which no page lacks. */
export function changesOf(mine: Typed, before: Typed) {
  const names = Object.keys(before) as (keyof Typed)[]
  const after = sent(mine)
  const changed = names.filter((name) => JSON.stringify(mine[name]) !== JSON.stringify(before[name]))
  const changes: Partial<typeof after> = Object.fromEntries(changed.map((name) => [name, after[name]]))
  return { ...changes, title: after.title }
}
