import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Switch } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Pager } from '../../ui/pager.tsx'
import { QueryState } from '../query-state.tsx'
import styles from './media.module.css'
import { iconOf } from './media-row.tsx'
import { type Media, type MediaKind, perPage, sentMediaQuery, thumbnailOf } from './queries.ts'
import type { Token } from './tokens.ts'
import { Unscanned } from './unscanned.tsx'

type SentBeforeProps = {
  kind: MediaKind
  acteurId: string | null
  /** Files of the form: they cannot be chosen twice. */
  used: readonly Token[]
  onChoose: (id: string) => void
  onClose: () => void
}

/** Dialog to choose a picture or document again that was sent before. */
export function SentBefore({ kind, acteurId, used, onChoose, onClose }: SentBeforeProps) {
  const words = useTranslations('media')
  const format = useFormatter()
  const [isUnused, setUnused] = useState(false)
  const [page, setPage] = useState(1)
  const sent = useQuery({
    ...sentMediaQuery({ kind, acteurId, isUnused, page }),
    placeholderData: keepPreviousData,
  })
  const nameOf = ({ nom, alt, decorative, created_at }: Media) =>
    words('sentOn', {
      alt: nom ?? alt ?? words(decorative ? 'isDecorative' : 'noAlt'),
      date: format.dateTime(new Date(created_at), { dateStyle: 'long' }),
    })
  return (
    <Dialog wide title={words('sentBefore', { kind })} isOpen onClose={onClose}>
      <div className={styles.sent}>
        <Switch
          isSelected={isUnused}
          onChange={(only) => {
            setUnused(only)
            setPage(1)
          }}
        >
          {words('onlyUnused', { kind })}
        </Switch>
        <QueryState query={sent} lines={6} />
        {sent.data?.data.length === 0 && <Empty icon={iconOf[kind]} title={words('noneSent', { kind })} />}
        {sent.data && (
          <>
            <ul className={styles.choices}>
              {sent.data.data.map((media) => (
                <li key={media.id}>
                  <button
                    type="button"
                    className={styles.choice}
                    aria-label={nameOf(media)}
                    disabled={used.includes(media.id)}
                    onClick={() => onChoose(media.id)}
                  >
                    <img src={thumbnailOf(media.id)} alt="" loading="lazy" />
                  </button>
                  {media.nom && <span className={styles.name}>{media.nom}</span>}
                  {media.unscanned_since && <Unscanned />}
                </li>
              ))}
            </ul>
            {sent.data.meta.total > perPage && (
              <Pager page={page} perPage={perPage} total={sent.data.meta.total} onPage={setPage} />
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
