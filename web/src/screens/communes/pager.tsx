import { useRouter } from '@tanstack/react-router'
import { CursorPager } from '../../ui/pager.tsx'
import { perPage } from './queries.ts'

type Paged = { after?: string; page?: number }
type CommunesPagerProps<Search> = {
  search: Search
  meta: { next: string | null; total: number }
  onShow: (search: Omit<Search, keyof Paged> & Paged) => void
}

/** Pages by cursor. The previous page is the one that the browser came from. */
export function CommunesPager<Search extends Paged>({ search, meta, onShow }: CommunesPagerProps<Search>) {
  const { history } = useRouter()
  const { after, page = 1, ...filters } = search
  const { next, total } = meta
  const goBack = () => {
    if (history.canGoBack()) history.back()
    else onShow(filters)
  }
  if (total <= perPage && after === undefined) return null
  return (
    <CursorPager
      page={page}
      perPage={perPage}
      total={total}
      onPrevious={after === undefined ? null : goBack}
      onNext={next === null ? null : () => onShow({ ...filters, after: next, page: page + 1 })}
    />
  )
}
