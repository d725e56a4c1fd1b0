import type { RecordKind } from '../../platform/change.ts'
import { type ActRow, getActForUpdate, updateAct } from './queries.ts'

/**
 * An act as an audited record. Its author and those whom its title names are people; what the chain has sealed of them stays
 * there, as the law wants acts published whole.
 */
export const act = {
  entity: 'act',
  personal: ['title', 'author_first_name', 'author_name', 'occulted_reason'],
  lock: getActForUpdate,
  write: (tx, { id }, values) => updateAct(tx, id, values),
} satisfies RecordKind<ActRow>

type Deletable = ActRow & { isDeleted?: boolean }

/** The same for a change that deletes a draft: the audit entry keeps its former values. */
export const deletedDraft = {
  ...act,
  write: async (_tx, before) => ({ ...before, isDeleted: true }),
  auditedValues: ({ isDeleted, ...row }) => (isDeleted ? {} : row),
} satisfies RecordKind<Deletable, { isDeleted: true }>
