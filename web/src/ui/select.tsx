import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import styles from './select.module.css'

type SelectProps<Value extends string> = {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
  /** Leaves the label to screen readers: the options explain themselves. */
  quietLabel?: boolean
}

export function Select<Value extends string>({
  label,
  value,
  onChange,
  options,
  quietLabel,
}: SelectProps<Value>) {
  return (
    <AriaSelect
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
      className={styles.select}
      {...(quietLabel && { 'aria-label': label })}
    >
      {!quietLabel && <Label className={styles.label}>{label}</Label>}
      <Button className={styles.button}>
        <SelectValue className={styles.value} />
        <Icon name="down" />
      </Button>
      <Popover className={styles.popover} offset={4}>
        <ListBox className={styles.list} items={options}>
          {({ value: id, label: words }) => (
            <ListBoxItem id={id} textValue={words} className={styles.item}>
              {({ isSelected }) => (
                <>
                  <span className={cx(styles.mark, isSelected && styles.marked)}>
                    <Icon name="check" />
                  </span>
                  {words}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
