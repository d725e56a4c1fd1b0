import type { ComponentProps, ReactNode } from 'react'
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Link as AriaLink,
  type LinkProps as AriaLinkProps,
} from 'react-aria-components'
import styles from './button.module.css'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'
import { Key } from './key.tsx'
import { Tip } from './tip.tsx'

type Look = 'plain' | 'primary' | 'quiet' | 'danger'

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> & {
  look?: Look
  small?: boolean
  icon?: IconName
  /** Keyboard shortcut of this action, shown beside the label. */
  shortcut?: string
  /** The same for assistive technology, where it is shown in words. */
  keys?: string
  children: ReactNode
  wide?: boolean
}

/** Button that, while `isPending`, keeps its size and its focus and cannot be pressed again. */
export function Button({
  look = 'plain',
  small,
  icon,
  shortcut,
  keys = shortcut,
  wide,
  children,
  ...props
}: ButtonProps) {
  return (
    <AriaButton
      {...props}
      {...(keys !== undefined && { render: withKeys(keys) })}
      className={cx(styles.button, styles[look], small && styles.small, wide && styles.wide)}
    >
      {icon && <Icon name={icon} />}
      <span className={styles.words}>{children}</span>
      {shortcut && (
        <span className={styles.key} aria-hidden="true">
          <Key>{shortcut}</Key>
        </span>
      )}
    </AriaButton>
  )
}

/** Adds the keys of a button, which React Aria does not pass on. */
export const withKeys = (keys: string) => (dom: ComponentProps<'button'>) => (
  <button {...dom} aria-keyshortcuts={keys} />
)

type ButtonLinkProps = Omit<AriaLinkProps, 'className' | 'style' | 'children'> & {
  look?: Look
  small?: boolean
  icon?: IconName
  children: ReactNode
  wide?: boolean
}

/** Link that looks like a button. */
export function ButtonLink({ look = 'plain', small, icon, wide, children, ...props }: ButtonLinkProps) {
  return (
    <AriaLink
      {...props}
      className={cx(styles.button, styles[look], small && styles.small, wide && styles.wide)}
    >
      {icon && <Icon name={icon} />}
      <span className={styles.words}>{children}</span>
    </AriaLink>
  )
}

type IconButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'aria-label'> & {
  icon: IconName
  /** Name of the action, also shown as a tooltip on hover and focus. */
  label: string
  look?: Look
}

export function IconButton({ icon, label, look = 'quiet', ...props }: IconButtonProps) {
  return (
    <Tip text={label}>
      <AriaButton {...props} aria-label={label} className={cx(styles.button, styles.square, styles[look])}>
        <Icon name={icon} />
      </AriaButton>
    </Tip>
  )
}
