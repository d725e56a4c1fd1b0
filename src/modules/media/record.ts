import type { RecordKind } from '../../platform/change.ts'
import { getMediaForUpdate, type MediaRow, updateMedia } from './queries.ts'

/** A picture or document as an audited record. Its description may be about a person; the digest says which bytes it had. */
export const media = {
  entity: 'media',
  personal: ['alt', 'nom'],
  lock: getMediaForUpdate,
  write: updateMedia,
  auditedValues: ({
    id,
    kind,
    acteur_id,
    created_by,
    sha256,
    alt,
    decorative,
    nom,
    width,
    height,
    bytes,
  }) => ({
    ...{ id, kind, acteur_id, created_by, sha256, alt, decorative, nom, width, height, bytes },
  }),
} satisfies RecordKind<MediaRow, Pick<MediaRow, 'alt' | 'decorative' | 'nom'>>
