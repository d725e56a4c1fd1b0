import { useTranslations } from 'use-intl'
import { Unscanned } from '../../../shell/media/unscanned.tsx'
import { useFieldLabels } from '../../../shell/records/publication-fields.ts'
import { Soft } from '../../../ui/layout.tsx'
import { useSize } from '../../../ui/size.ts'
import { type Document, type MediaDeeds, sourceOf } from './picture.ts'
import styles from './pictures.module.css'
import { RemoveMedia } from './remove-media.tsx'

type DocumentsProps = { documents: readonly Document[]; deeds?: MediaDeeds | null }

/** Documents of a publication: first page, name, size and number of pages. One opens in a new tab. */
export function Documents({ documents, deeds = null }: DocumentsProps) {
  const words = useTranslations('queue.media')
  const labelOf = useFieldLabels()
  const size = useSize()
  if (documents.length === 0) return null
  return (
    <ul className={styles.documents} aria-label={labelOf('documents')}>
      {documents.map((one) => (
        <li key={one.id} className={styles.document}>
          <img src={sourceOf({ src: one.apercu }, 400)} alt="" loading="lazy" />
          <div className={styles.about}>
            <a href={one.url} target="_blank" rel="noreferrer">
              {one.nom}
            </a>
            {one.unscanned && <Unscanned />}
            <Soft>{words('facts', { size: size(one.bytes), pages: one.pages })}</Soft>
            {deeds !== null && <RemoveMedia kind="document" {...one} deeds={deeds} />}
          </div>
        </li>
      ))}
    </ul>
  )
}
