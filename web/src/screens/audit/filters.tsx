import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Search } from '../../ui/search.tsx'
import styles from './audit.module.css'
import type { AuditEntry } from './queries.ts'
import { type AuditSearch, entities } from './search.ts'

type FiltersProps = {
  search: AuditSearch
  entries: readonly AuditEntry[]
  /** Undefined removes a filter. */
  onChange: (changed: { [Name in keyof AuditSearch]: AuditSearch[Name] | undefined }) => void
}

/** Filters that people type or choose; those that an entry sets can be removed one by one. */
export function Filters({ search, entries, onChange }: FiltersProps) {
  const words = useTranslations('audit')
  const set = onChange as (changed: AuditSearch | Record<string, undefined>) => void
  const named = {
    person: entries.find(({ user_id }) => user_id === search.person)?.user?.nom,
    acteur: entries.find(({ acteur }) => acteur?.id === search.acteur)?.acteur?.nom,
    record: entries.find(({ entity_id }) => entity_id === search.record)?.name,
    action: null,
    request: null,
  }
  const only = (['person', 'acteur', 'record', 'action', 'request'] as const).filter(
    (name) => search[name] !== undefined,
  )
  return (
    <search className={styles.filters}>
      <Search
        label={words('search')}
        q={search.q ?? ''}
        onSearch={(q) => set(q ? { q } : { q: undefined })}
      />
      <div className={styles.fields}>
        <FilterSelect
          label={words('entity')}
          any={words('entities.all')}
          value={search.entity}
          onChange={(entity) => onChange({ entity })}
          options={entities.map((value) => ({ value, label: words(`entities.${value}`) }))}
        />
        {(['since', 'until'] as const).map((name) => (
          <DateField
            key={name}
            isFilter
            label={words(name)}
            value={search[name] ?? ''}
            onChange={(day) => set(day ? { [name]: day } : { [name]: undefined })}
          />
        ))}
      </div>
      {only.length > 0 && (
        <ul className={styles.only} aria-label={words('only.title')}>
          {only.map((name) => (
            <li key={name}>
              <Button small icon="close" onPress={() => set({ [name]: undefined })}>
                {words(`only.${name}`, { name: named[name] ?? search[name] ?? '' })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}
