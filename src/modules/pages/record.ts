import type { RecordKind } from '../../platform/change.ts'
import { deletePage, getPageForUpdate, type LockedPage, updatePage } from './queries.ts'
import type { PageRow } from './schema.ts'

type PageRecord = LockedPage & { isDeleted?: true }

/** A page as an audited record. Its contacts may be people. */
export const page = {
  entity: 'page',
  personal: ['contacts'],
  lock: getPageForUpdate,
  async write(tx, before, { isDeleted, ...values }) {
    if (isDeleted) {
      await deletePage(tx, before.id)
      return { ...before, isDeleted }
    }
    return { ...before, ...(await updatePage(tx, before.id, values)) }
  },
  auditedValues: ({ mairie_id: _mairie, isDeleted, ...row }) => (isDeleted ? {} : audited(row)),
} satisfies RecordKind<PageRecord, Partial<PageRow> & { isDeleted?: true }>

/** Of contacts, an empty list says nothing. */
const audited = ({ contacts, ...row }: PageRow) => ({
  ...row,
  contacts: contacts.length > 0 ? contacts : null,
})

/** The same for a page that is new. */
export const newPage = { ...page, auditedValues: audited }
