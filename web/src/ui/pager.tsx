import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import styles from './pager.module.css'

type PagerProps = {
  page: number
  perPage: number
  total: number
  /** True if there are more rows than the total: pages end with it. */
  isAtLeast?: boolean
  onPage: (page: number) => void
}

/** Pager of a list with numbered pages. */
export function Pager({ page, perPage, total, isAtLeast = false, onPage }: PagerProps) {
  if (total === 0) return null
  const last = Math.ceil(total / perPage)
  return (
    <CursorPager
      page={page}
      perPage={perPage}
      total={total}
      isAtLeast={isAtLeast}
      onPrevious={page > 1 ? () => onPage(page - 1) : null}
      onNext={page < last ? () => onPage(page + 1) : null}
    />
  )
}

type CursorPagerProps = {
  page: number
  perPage: number
  total: number
  isAtLeast?: boolean
  /** Null disables the button. */
  onPrevious: (() => void) | null
  onNext: (() => void) | null
}

/** Pager of a list that only knows its previous and its next page. */
export function CursorPager({
  page,
  perPage,
  total,
  isAtLeast = false,
  onPrevious,
  onNext,
}: CursorPagerProps) {
  const words = useTranslations('ui')
  const end = isAtLeast ? page * perPage : total
  return (
    <nav aria-label={words('pages')} className={styles.pager}>
      <span>
        {words(isAtLeast ? 'rangeOfMore' : 'range', {
          from: Math.min(end, (page - 1) * perPage + 1),
          to: Math.min(end, page * perPage),
          total,
        })}
      </span>
      <span className={styles.buttons}>
        <Button small isDisabled={onPrevious === null} onPress={() => onPrevious?.()}>
          {words('previous')}
        </Button>
        <Button small isDisabled={onNext === null} onPress={() => onNext?.()}>
          {words('next')}
        </Button>
      </span>
    </nav>
  )
}
