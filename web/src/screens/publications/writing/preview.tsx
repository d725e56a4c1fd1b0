import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId } from 'react'
import { useTranslations } from 'use-intl'
import { publicationTypesQuery } from '../../../shell/choices/choices.ts'
import { DraftDocuments, DraftPictures } from '../../../shell/media/draft-media.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { useFacts } from '../detail/facts.ts'
import { publicationOf } from './changes.ts'
import type { Content } from './content.ts'
import styles from './writing.module.css'

type PreviewProps = { content: Content; acteur: string | null }

/** Preview of the publication as readers will see it. Deferred, so that typing stays fast. */
export function Preview({ content, acteur }: PreviewProps) {
  const words = useTranslations('writing')
  const id = useId()
  const shown = useDeferredValue(content)
  const { title, body, type_id } = shown
  const facts = useFacts()(publicationOf(shown))
  const { data: types = [] } = useQuery(publicationTypesQuery)
  const type = types.find((known) => known.id === type_id)
  return (
    <section className={styles.preview} aria-labelledby={id}>
      <h2 id={id} className={styles.name}>
        {words('preview')}
      </h2>
      <div className={styles.page}>
        <p className={styles.title}>{title.trim() || words('untitled')}</p>
        <Row isSoft as="p">
          {type && <Badge>{type.libelle}</Badge>}
          {acteur && <span>{acteur}</span>}
          {facts.map(({ label, text, isLink }) => !isLink && <span key={label}>{text}</span>)}
        </Row>
        <DraftPictures tokens={shown.images} />
        {body === '' ? <Soft>{words('noText')}</Soft> : <RichText html={body} />}
        <DraftDocuments tokens={shown.documents} />
      </div>
    </section>
  )
}
