import type { RecordKind } from '../../platform/change.ts'
import { deleteDomain, getDomainForUpdate, getDomainOfPlaceForUpdate, updateDomain } from './queries.ts'
import type { StoredDomain } from './schema.ts'

export type DomainRecord = StoredDomain & { isDeleted?: true }

/** The audit log says nothing of the token, which changes with the host. */
export const auditedDomain = ({ token: _, isDeleted, ...row }: DomainRecord) => (isDeleted ? {} : row)

export const domain = {
  entity: 'domain',
  personal: [],
  lock: getDomainForUpdate,
  async write(tx, before, { isDeleted, ...fields }) {
    if (!isDeleted) return updateDomain(tx, before.id, fields)
    await deleteDomain(tx, before.id)
    return { ...before, isDeleted }
  },
  auditedValues: auditedDomain,
} satisfies RecordKind<DomainRecord>

/** A domain, with those of which it may become the primary one. */
export const domainOfPlace = { ...domain, lock: getDomainOfPlaceForUpdate } satisfies RecordKind<DomainRecord>
