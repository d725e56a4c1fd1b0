import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Segmented } from '../../ui/choice.tsx'
import { Search } from '../../ui/search.tsx'
import { Select } from '../../ui/select.tsx'
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
        <Select<string>
          label={words('filters.assignee')}
          quietLabel
          value={search.assignee ?? 'all'}
          onChange={(assignee) => onChange({ assignee: assignee === 'all' ? undefined : assignee })}
          options={[
            { value: 'all', label: words('filters.everybody') },
            { value: 'me', label: words('filters.mine') },
            { value: 'none', label: words('filters.unassigned') },
            ...others.map(({ id, nom }) => ({ value: id, label: nom ?? words('somebody') })),
          ]}
        />
        <Select
          label={words('filters.only')}
          quietLabel
          value={search.only ?? 'all'}
          onChange={(only) => onChange({ only: only === 'all' ? undefined : only })}
          options={[
            { value: 'all' as const, label: words('filters.any') },
            { value: 'unread' as const, label: words('filters.unread') },
            ...flags.map((value) => ({ value, label: words(`flags.${value}`) })),
          ]}
        />
      </div>
    </div>
  )
}
