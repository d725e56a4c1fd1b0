import { useEffect, useRef, useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { Icon } from './icon.tsx'
import styles from './search.module.css'

const debounceMs = 250

type SearchProps = { label: string; q: string; onSearch: (q: string) => void }

/** Limit of the API for searched texts. */
const maxLength = 200

/** Search field that calls `onSearch` after a short pause in typing. */
export function Search({ label, q, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(q)
  // The last search text comes back as `q`, perhaps after more was typed.
  const searched = useRef(q)
  useEffect(() => {
    if (q !== searched.current) setTyped(q)
    searched.current = q
  }, [q])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed is waited for
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => {
      searched.current = typed.trim()
      onSearch(typed.trim())
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <SearchField
      aria-label={label}
      maxLength={maxLength}
      value={typed}
      onChange={setTyped}
      className={styles.search}
    >
      <Icon name="search" />
      <Input className={styles.input} placeholder={label} />
    </SearchField>
  )
}
