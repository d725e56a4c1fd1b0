import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Segmented } from '../../ui/choice.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Search } from '../../ui/search.tsx'
import styles from './messages.module.css'
import { colleaguesQuery } from './queries.ts'
import { flags, type MessagesSearch, statuses } from './search.ts'

type FiltersProps = {
  me: string
  search: MessagesSearch
  onChange: (change: Pick<MessagesSearch, 'q' | 'status' | 'only' | 'assignee'>) => void
}

export function ThreadFilters({ me, search, onChange }: FiltersProps) {
  const words = useTranslations('messages')
  const { data: colleagues = [] } = useQuery(colleaguesQuery)
  const others = colleagues.filter(({ id }) => id !== me)
  return (
    <div className={styles.filters}>
      <Search
        label={words('search')}
        q={search.q ?? ''}
        onSearch={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <Segmented
        label={words('filters.status')}
        quietLabel
        value={search.status ?? 'open'}
        onChange={(status) => onChange({ status: status === 'open' ? undefined : status })}
        options={statuses.map((value) => ({ value, label: words(`filters.statuses.${value}`) }))}
      />
      <div className={styles.choices}>
        <FilterSelect<string>
          label={words('filters.assignee')}
          quietLabel
          any={words('filters.everybody')}
          value={search.assignee}
          onChange={(assignee) => onChange({ assignee })}
          options={[
            { value: 'me', label: words('filters.mine') },
            { value: 'none', label: words('filters.unassigned') },
            ...others.map(({ id, nom }) => ({ value: id, label: nom ?? words('somebody') })),
          ]}
        />
        <FilterSelect
          label={words('filters.only')}
          quietLabel
          any={words('filters.any')}
          value={search.only}
          onChange={(only) => onChange({ only })}
          options={[
            { value: 'unread' as const, label: words('filters.unread') },
            ...flags.map((value) => ({ value, label: words(`flags.${value}`) })),
          ]}
        />
      </div>
    </div>
  )
}
