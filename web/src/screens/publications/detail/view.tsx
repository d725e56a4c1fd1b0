import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { components } from '../../../api/api.generated.ts'
import { PublicSiteLink } from '../../../shell/records/public-site.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { RichText } from '../../../ui/rich-text.tsx'
import { Time } from '../../../ui/time.tsx'
import { ForeignPicture, Hidden, Resubmitted } from './about.tsx'
import styles from './detail.module.css'
import { Documents } from './documents.tsx'
import type { MediaDeeds } from './picture.ts'
import { Pictures } from './pictures.tsx'
import { Status } from './status.tsx'

type ViewProps = {
  /** Null: not loaded. */
  publication: (components['schemas']['MemberPublication'] & { rejected_at?: string | null }) | null
  /** Buttons of the possible decisions. */
  actions: ReactNode
  /** Label of the Back button; without it, the button has a default label and only small screens show it. */
  backTo?: string | undefined
  onBack: () => void
  /** Above the title: what changed meanwhile, or failed. */
  notices: ReactNode
  /** Beside the state. */
  tools?: ReactNode
  /** Below the title: colleagues and unfinished work. */
  state?: ReactNode
  reports?: ReactNode
  /** Describes and removes its pictures and documents; null: they are shown only. */
  media?: MediaDeeds | null
  /** Below the text. */
  children: ReactNode
}

/** Publication to decide on, as readers see it, for moderators and for mairies. */
export function PublicationView({
  publication,
  actions,
  backTo,
  onBack,
  notices,
  tools,
  state,
  reports,
  media = null,
  children,
}: ViewProps) {
  const words = useTranslations('queue')
  return (
    <article className={styles.detail} aria-labelledby="publication-title">
      <div className={styles.actions} data-bottom-bar>
        {actions}
      </div>
      <div className={styles.content}>
        <span className={cx(styles.back, !backTo && styles.small)}>
          <Button look="quiet" small icon="back" onPress={onBack}>
            {backTo ?? words('back')}
          </Button>
        </span>
        {notices}
        {publication && (
          <>
            <header className={styles.head}>
              <h2 id="publication-title" className={styles.title}>
                {publication.titre}
              </h2>
              <p className={styles.meta}>
                <Status publication={publication} />
                {publication.type && <Badge>{publication.type.libelle}</Badge>}
                <span>
                  {words('created')} <Time at={publication.created_at} />
                </span>
                {tools}
                {publication.hidden_because.length === 0 && (
                  <PublicSiteLink kind="publications" slug={publication.slug} />
                )}
              </p>
            </header>
            {state}
            <Resubmitted publication={publication} />
            <Hidden publication={publication} />
            {reports}
            <ForeignPicture publication={publication} />
            <Pictures images={publication.images} deeds={media} />
            <RichText html={publication.body} />
            <Documents documents={publication.documents} deeds={media} />
            {children}
          </>
        )}
      </div>
    </article>
  )
}
