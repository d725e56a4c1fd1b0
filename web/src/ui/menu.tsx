import type { ReactElement, ReactNode } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  Header,
  type MenuItemProps,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'
import { Key } from './key.tsx'
import styles from './menu.module.css'

type MenuProps = { label: string; trigger: ReactElement; children: ReactNode }

export function Menu({ label, trigger, children }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover} offset={4}>
        <AriaMenu aria-label={label} className={styles.menu}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

type ItemProps = Omit<MenuItemProps, 'className' | 'style' | 'children'> & {
  icon?: IconName
  shortcut?: string
  children: string
}

export function MenuItem({ icon, shortcut, children, ...props }: ItemProps) {
  return (
    <AriaMenuItem {...props} textValue={children} className={styles.item}>
      {icon && <Icon name={icon} />}
      <span className={styles.words}>{children}</span>
      {shortcut && <Key>{shortcut}</Key>}
    </AriaMenuItem>
  )
}

export function MenuGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <MenuSection className={styles.group}>
      <Header className={styles.title}>{title}</Header>
      {children}
    </MenuSection>
  )
}
