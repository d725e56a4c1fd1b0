import type { ReactNode, RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { Notes } from '../../../shell/records/colleagues/notes.tsx'
import { Present } from '../../../shell/records/colleagues/present.tsx'
import { PublicSiteLink } from '../../../shell/records/public-site.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Skeleton } from '../../../ui/empty.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Time } from '../../../ui/time.tsx'
import type { ListedPublication } from '../queries.ts'
import { About, Hidden, Picture, Reports } from './about.tsx'
import { Changed } from './changed.tsx'
import styles from './detail.module.css'
import { useOpened } from './opened.ts'
import { Similar } from './similar.tsx'
import { Status } from './status.tsx'
import { Unfinished } from './unfinished.tsx'

type DetailProps = {
  id: string
  /** Row of the list, shown until the full record is loaded. */
  row: ListedPublication | null
  /** Version on which a refused decision was based; null if there was none. */
  conflict: ListedPublication | null
  actions: ReactNode
  onCorrect: () => void
  onHistory: () => void
  onDuplicates: () => void
  /** Label of the Back button; without it, the button has a default label and only small screens show it. */
  backTo?: string
  onBack: () => void
  noteRef: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
}

/** Full publication as readers see it, with the information needed to decide on it. */
export function Detail({
  id,
  row,
  conflict,
  actions,
  onCorrect,
  onHistory,
  onDuplicates,
  backTo,
  onBack,
  noteRef,
}: DetailProps) {
  const words = useTranslations('queue')
  const whole = useOpened(id)
  const publication = whole.publication ?? row
  const isDuplicate = (whole.publication?.duplicate_group ?? null) !== null
  const reports = whole.publication?.reports.filter(({ closed_at }) => closed_at === null) ?? []
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
        {conflict && (
          <Changed isRefused seen={conflict} now={whole.isFetching ? null : (whole.data ?? null)} />
        )}
        {whole.newer && whole.data && (
          <Changed seen={whole.data} now={whole.newer} onShow={whole.showNewer} />
        )}
        {whole.isError && <ShownFailure error={whole.error} onRetry={() => void whole.refetch()} />}
        {publication === null && !whole.isError && <Skeleton lines={8} />}
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
                <Button look="quiet" small icon="history" shortcut="h" onPress={onHistory}>
                  {words('history')}
                </Button>
                {isDuplicate && (
                  <Button look="quiet" small icon="copies" shortcut="d" onPress={onDuplicates}>
                    {words('duplicates')}
                  </Button>
                )}
                {publication.hidden_because.length === 0 && (
                  <PublicSiteLink kind="publications" slug={publication.slug} />
                )}
              </p>
            </header>
            <Present kind="publication" id={id} />
            <Unfinished id={id} onResume={onCorrect} />
            <Hidden publication={publication} />
            {reports.length > 0 && <Reports reports={reports} />}
            {publication.image_url && <Picture url={publication.image_url} />}
            <RichText html={publication.body} />
            <Similar publication={publication} isExpected={isDuplicate} />
            <About publication={publication} />
            <Notes kind="publication" recordId={id} fieldRef={noteRef} />
          </>
        )}
      </div>
    </article>
  )
}
