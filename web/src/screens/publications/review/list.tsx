import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/badge.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { OpeningList } from '../../../ui/opening-list.tsx'
import { Ago } from '../../../ui/time.tsx'
import { lacksDescription, sourceOf } from '../detail/picture.ts'
import type { ListedPublication, ReviewKind } from '../queries.ts'
import styles from './list.module.css'

type Row = Pick<
  ListedPublication,
  | 'id'
  | 'titre'
  | 'acteur'
  | 'commune'
  | 'type'
  | 'images'
  | 'created_at'
  | 'moderation_status'
  | 'resubmitted'
> &
  Partial<Pick<ListedPublication, 'reports_open' | 'reports_summary' | 'source'>>

type ListProps = {
  kind: ReviewKind
  label: string
  isSearch: boolean
  items: readonly Row[]
  current: string | null
  selected: ReadonlySet<string>
  conflicts: ReadonlyMap<string, unknown>
  onOpen: (id: string) => void
  onSelect: (ids: Set<string>) => void
  listRef: RefObject<HTMLDivElement | null>
}

/** List whose focused row is the publication on the screen. Checkboxes select several for one decision. */
export function ReviewList({
  kind,
  label,
  isSearch,
  items,
  current,
  selected,
  conflicts,
  onOpen,
  onSelect,
  listRef,
}: ListProps) {
  const words = useTranslations('queue')
  const empty = (
    <Empty icon={isSearch ? 'search' : 'check'} title={words(isSearch ? 'notFound.title' : 'empty.title')}>
      <p>{words(isSearch ? 'notFound.text' : 'empty.text')}</p>
    </Empty>
  )
  return (
    <OpeningList
      {...{ label, items, current, selected, empty, onOpen, onSelect, listRef }}
      dependencies={[kind, conflicts, words]}
      textOf={({ titre }) => titre}
    >
      {(item) => (
        <>
          <div className={styles.words}>
            <span className={styles.title}>{item.titre}</span>
            <span>
              {item.acteur?.nom ?? words('nobody')}
              {item.commune && <> · {item.commune.nom}</>}
            </span>
            <span>
              {item.type && <>{item.type.libelle} · </>}
              {item.source && <>{item.source.nom} · </>}
              <Ago
                at={
                  kind === 'reports' ? (item.reports_summary?.latest_at ?? item.created_at) : item.created_at
                }
              />
            </span>
            <span className={styles.state}>
              {conflicts.has(item.id) && <Badge tone="warn">{words('changed.badge')}</Badge>}
              {item.images.some(lacksDescription) && (
                <Badge tone="warn">{words('pictures.undescribed')}</Badge>
              )}
              {item.resubmitted && <Badge tone="warn">{words('resubmitted.badge')}</Badge>}
              {item.moderation_status !== 'pending' && (
                <Badge>{words(`status.${item.moderation_status}`)}</Badge>
              )}
              {item.reports_open !== undefined && item.reports_open > 0 && (
                <Badge tone="bad">{words('reports', { count: item.reports_open })}</Badge>
              )}
              {kind === 'reports' && (
                <span>
                  {item.reports_summary?.categories.map((name) => words(`category.${name}`)).join(', ')}
                </span>
              )}
            </span>
          </div>
          <Cover {...item} />
        </>
      )}
    </OpeningList>
  )
}

/** The first picture. The title beside it has the meaning. */
const Cover = ({ images: [cover] }: Pick<Row, 'images'>) =>
  cover && <img className={styles.thumbnail} src={sourceOf(cover, 400)} alt="" loading="lazy" />
