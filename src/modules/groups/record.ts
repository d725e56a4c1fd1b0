import type { RecordKind } from '../../platform/change.ts'
import { deleteGroup, getGroupForUpdate, listMemberIds, replaceMembers, updateGroup } from './queries.ts'
import type { StoredGroup } from './schema.ts'

export type GroupRecord = StoredGroup & { commune_ids: string[]; isDeleted?: true }

/** A group with its members as an audited record. Entries say which members were added and removed, not all. */
export const group = {
  entity: 'group',
  personal: [],
  // Every change of the members locks the group first.
  lock: async (tx, id) => ({
    ...(await getGroupForUpdate(tx, id)),
    commune_ids: await listMemberIds(tx, id),
  }),
  async write(tx, before, { isDeleted, commune_ids = before.commune_ids, ...fields }) {
    if (isDeleted) {
      await deleteGroup(tx, before.id)
      return { ...before, isDeleted }
    }
    await replaceMembers(tx, before, commune_ids)
    return { ...(await updateGroup(tx, before.id, fields)), commune_ids }
  },
  auditedValues: ({ commune_ids, isDeleted, ...row }) => (isDeleted ? {} : row),
} satisfies RecordKind<GroupRecord>
