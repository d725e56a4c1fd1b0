import type { RecordKind } from '../../../platform/change.ts'
import { keyOf } from './names.ts'
import {
  countCollectes,
  deleteSecteur,
  getSecteurForUpdate,
  type LockedSecteur,
  renameInCollectes,
  updateSecteur,
} from './queries.ts'
import type { SecteurRow } from './schema.ts'
import { lineOf } from './streets.ts'

type SecteurRecord = LockedSecteur & { isDeleted?: true }

/** A secteur as an audited record. Its collections follow its name. */
export const secteur = {
  entity: 'secteur',
  personal: [],
  lock: getSecteurForUpdate,
  async write(tx, before, { isDeleted, ...values }) {
    if (isDeleted) {
      await deleteSecteur(tx, before.id)
      return { ...before, isDeleted }
    }
    const after = { ...before, ...values }
    if (after.nom !== before.nom) {
      const names = [...(await countCollectes(tx, before.commune_id)).keys()]
      const own = names.filter((name) => keyOf(name) === keyOf(before.nom))
      await renameInCollectes(tx, before.commune_id, own, after.nom)
    }
    return { ...after, ...(await updateSecteur(tx, after)) }
  },
  auditedValues: ({ mairie_id: _mairie, isDeleted, ...row }) => (isDeleted ? {} : audited(row)),
} satisfies RecordKind<SecteurRecord, Partial<SecteurRow> & { isDeleted?: true }>

/** Streets are noted as the lines that people read. */
const audited = ({ rues, ...row }: SecteurRow) => ({ ...row, rues: rues.map(lineOf) })

/** The same for a secteur that is new. */
export const newSecteur = { ...secteur, auditedValues: audited }
