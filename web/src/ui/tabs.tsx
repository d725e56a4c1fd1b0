import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components'
import styles from './tabs.module.css'

type TabsProps<Id extends string> = {
  label: string
  selected: Id
  onSelect: (id: Id) => void
  tabs: readonly { id: Id; title: string; count?: number; content: ReactNode }[]
}

/** Tabs. The parent component keeps the selected tab in the URL. */
export function Tabs<Id extends string>({ label, selected, onSelect, tabs }: TabsProps<Id>) {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(id) => onSelect(id as Id)} className={styles.tabs}>
      <TabList aria-label={label} className={styles.list} data-scrolls-sideways>
        {tabs.map(({ id, title, count }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {title}
            {count !== undefined && <span className={styles.count}>{count}</span>}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
